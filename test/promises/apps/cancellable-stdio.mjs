/** Calls that can be cancelled, over standard input and output. */
import { createServer } from 'toolwright';
import { serveStdio } from 'toolwright/stdio';
import { tools } from './cancellable.mjs';

serveStdio(createServer({ name: 'cancellable', version: '1.0.0', tools, rateLimit: false }));
