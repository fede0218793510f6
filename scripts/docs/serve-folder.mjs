/** Serves the files of a folder on this machine, for a look at the site. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Returns the URL. */
export async function serveFolder(folder, { port, base }) {
  const server = createServer((request, response) => {
    void respond(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}${base}`;

  async function respond({ url }, response) {
    const file = findFile(url);
    const body = file === undefined ? undefined : await readFile(file).catch(() => undefined);
    if (body !== undefined) {
      response
        .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
        .end(body);
      return;
    }
    const missing = await readFile(join(folder, '404.html')).catch(() => 'Not found');
    response.writeHead(404, { 'content-type': TYPES['.html'] }).end(missing);
  }

  function findFile(url) {
    try {
      const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
      if (!path.startsWith(base)) return undefined;
      const name = normalize(`/${path.slice(base.length)}`);
      const withIndex = name.endsWith('/') ? `${name}index.html` : name;
      return join(folder, extname(withIndex) === '' ? `${withIndex}.html` : withIndex);
    } catch {
      return undefined;
    }
  }
}
