import { addressOf } from '../../library.mjs';
import { measureFetch } from './fetch-batch.mjs';
import { server } from './toolwright.mjs';

const { toFetchHandler } = await import(addressOf('fetch.ts'));
measureFetch('ours', toFetchHandler(server));
