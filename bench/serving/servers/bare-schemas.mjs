/** Only Node and the schema library, with one schema per tool. */
import { listTools } from '../../tools.mjs';
import { specification } from './specification.mjs';

const tools = listTools(specification.size, specification.catalogue);
process.stdin.on('data', () => process.stdout.write(`{"result":{"count":${tools.length}}}\n`));
