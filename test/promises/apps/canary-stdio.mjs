/** The canary over stdio. It reports when its counts can be requested. */
import { serveStdio } from 'toolwright/stdio';
import { server } from './canary-server.mjs';

serveStdio(server);
process.send({ isReady: true });
