/** Lists the tools of a server as a client over stdio does, page by page. */
import { PassThrough, Writable } from 'node:stream';

const CLIENT = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'corpus', version: '1' },
};

/** The lines of all pages, as they would be written to standard output. */
export async function listPages(server, serveStdio) {
  const input = new PassThrough();
  const waiting = [];
  let text = '';
  const output = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      if (text.endsWith('\n')) {
        waiting.shift()?.(text.slice(0, -1));
        text = '';
      }
      done();
    },
  });
  const running = serveStdio(server, { input, output });
  const ask = (method, params) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id: method, method, params })}\n`);
    });
  await ask('initialize', CLIENT);
  input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const pages = [];
  let cursor;
  do {
    const page = await ask('tools/list', cursor === undefined ? {} : { cursor });
    pages.push(page);
    // The cursor follows all tools; the page itself is parsed later, if needed.
    cursor = /"nextCursor":"([\w-]+)"\}\}$/.exec(page.slice(-50_000))?.[1];
  } while (cursor !== undefined);
  await running.close();
  return pages;
}

/** The tools of all pages. */
export function toolsOf(pages) {
  return pages.flatMap((page) => {
    const { result, error } = JSON.parse(page);
    if (result === undefined) throw new Error(`tools/list failed: ${JSON.stringify(error)}`);
    return result.tools;
  });
}
