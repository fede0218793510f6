import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Timeout for the start and the stop of a server. */
const PATIENCE_MS = 15_000;

/** Starts a server that prints its URL as its first line. `stop` ends it, and returns the problem if it does not exit cleanly. */
export async function startServer([command, ...args], env = process.env) {
  const server = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (chunk) => (log += chunk));
  const exited = once(server, 'exit');
  const url = await Promise.race([
    once(createInterface({ input: server.stdout }), 'line').then(([line]) => line),
    exited.then(() => undefined),
    later(),
  ]);
  if (url !== undefined) return { url, log: () => log, stop: () => stop(server, exited) };
  server.kill('SIGKILL');
  throw new Error(`the server did not start: ${log}`);
}

async function stop(server, exited) {
  server.kill('SIGTERM');
  const [code, signal] = (await Promise.race([exited, later()])) ?? [];
  if (code === 0) return [];
  server.kill('SIGKILL');
  const how = code === undefined ? `still ran after ${PATIENCE_MS} ms` : `ended with ${code ?? signal}`;
  return [`the server was asked to stop and ${how}`];
}

function later() {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, undefined).unref());
}
