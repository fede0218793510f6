/** The canary over standard input and output. It says when it can be asked what was called. */
import { serveStdio } from 'toolwright/stdio';
import { server } from './canary-server.mjs';

serveStdio(server);
process.send({ isReady: true });
