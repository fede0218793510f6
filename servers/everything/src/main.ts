import { serveHttp } from 'toolwright/http';
import { serveStdio } from 'toolwright/stdio';
import { createEverythingServer } from './server.ts';

/** Starts the server: over HTTP on PORT (default 3000, 0 for a free port), or over stdio with --stdio. */
async function main(): Promise<void> {
  const server = createEverythingServer();
  const running = process.argv.includes('--stdio')
    ? serveStdio(server)
    : await serveHttp(server, { port: Number(process.env['PORT'] || '3000') });
  if ('url' in running) console.log(running.url);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void running.close().then(() => server.close()));
  }
  if ('closed' in running) {
    await running.closed;
    await server.close();
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
