/** A Toolwright server with the tools, from the build in `TOOLWRIGHT_DIST`. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TOOLS } from './tools.mjs';

const folder = process.env.TOOLWRIGHT_DIST ?? fileURLToPath(new URL('../../../dist', import.meta.url));

/** @param {'index' | 'http' | 'stdio'} entry */
export function loadEntry(entry) {
  return import(pathToFileURL(`${folder}/${entry}.js`).href);
}

export async function createOurServer() {
  const { createServer, defineTool } = await loadEntry('index');
  const tools = TOOLS.map(({ name, schema, run }) =>
    defineTool({
      name,
      description: name,
      inputSchema: schema,
      handler: ({ input, context }) =>
        run(input, (progress, message) => context.progress(progress, undefined, message)),
    }),
  );
  // The SDK has no rate limit, so ours is turned off.
  return createServer({ name: 'weaknesses', version: '1.0.0', tools, rateLimit: false });
}
