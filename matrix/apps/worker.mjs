/** The fetch handler as a Worker, without sessions: instances of a Worker share no memory. */
import { toFetchHandler } from 'toolwright/fetch';
import { createMatrixServer } from './server.mjs';

const handle = toFetchHandler(createMatrixServer(), { sessions: false });

export default { fetch: (request, env, ctx) => handle(request, { env, ctx }) };
