import { createOurServer, loadEntry } from './toolwright.mjs';

const { serveStdio } = await loadEntry('stdio');
await serveStdio(await createOurServer()).closed;
