import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { RunningServer } from './running-server.mjs';

/**
 * Starts a contender for a document and lists its tools; undefined if that fails.
 *
 * @param {import('./contenders.mjs').Contender} contender
 * @param {string} document
 * @param {import('./count-cases.mjs').Place} place
 */
export async function openServer(contender, document, { api, base, folder }) {
  let server;
  try {
    const own = mkdtempSync(join(folder, 'server-'));
    const command = await contender.toCommand({ document, baseUrl: api.origin + base, folder: own });
    server = await RunningServer.start(command);
    return { server, tools: await server.listTools() };
  } catch {
    await server?.close();
    return undefined;
  }
}
