import { addressOf } from '../../library.mjs';
import { ready } from './control.mjs';
import { server } from './toolwright.mjs';

const { serveStdio } = await import(addressOf('stdio.ts'));
serveStdio(server);
ready();
