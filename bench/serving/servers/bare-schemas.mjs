/** Nothing but Node and the schema library, with as many schemas as there are tools. */
import { listTools } from '../../tools.mjs';
import { specification } from './specification.mjs';

const tools = listTools(specification.size, specification.catalogue);
process.stdin.on('data', () => process.stdout.write(`{"result":{"count":${tools.length}}}\n`));
