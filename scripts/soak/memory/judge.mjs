/** Runs the memory attack: a server with a small heap, attackers, and other clients. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HonestClients } from './honest-clients.mjs';

const ATTACKER = fileURLToPath(new URL('./attacker.mjs', import.meta.url));
const SERVER = fileURLToPath(new URL('./server.mjs', import.meta.url));

const HEAP_MB = 256;
/** Maximum cost of all attackers together, about half of a CPU: the attack is on memory, not on CPU. */
const BYTES_PER_SECOND = 40_000_000;
const WARM_UP_TURNS = 50;
/** Maximum time for the server to recover, after everything it keeps has expired. */
const SETTLE_MS = 15_000;
export const MAX_GROWTH = 16 * 1_048_576;

/**
 * Attacks a server for a time with all of these attacks at once, and returns the figures. `keptMs` is the retention time of tasks and
 * sessions; `server` is the file of another server.
 */
export async function attackMemory({
  attacks,
  seconds,
  keptMs,
  bytesPerSecond = BYTES_PER_SECOND,
  server: file = SERVER,
}) {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-memory-'));
  const server = new AttackedServer(file, { folder, keptMs });
  try {
    const { ports } = await server.hear('ports');
    if (ports === undefined) throw new Error(`the server did not start:\n${server.complaints}`);
    const honest = new HonestClients(ports);
    for (let turn = 0; turn < WARM_UP_TURNS; turn += 1) await honest.tryAll();
    const start = await server.collect();
    server.process.send('watch');
    honest.start();
    const attackers = fork(ATTACKER, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    attackers.send({ ports, attacks, bytesPerSecond });
    await Promise.race([wait(seconds * 1000), server.ended]);
    const [{ report }] = await Promise.all([stop(attackers), honest.stop()]);
    const seen = { ...server.seen };
    const end = await settle(server, { start, keptMs, ports });
    return { seconds, start, end, seen, death: server.death, report, honest };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ends the attack, and returns the report of the attackers. */
async function stop(attackers) {
  if (!attackers.connected) throw new Error('the attackers ended before the attack was over');
  const ended = once(attackers, 'exit');
  const reported = new Promise((resolve, reject) => {
    attackers.once('message', resolve);
    attackers.once('exit', () => reject(new Error('the attackers ended without a report')));
  });
  attackers.send('stop');
  const timer = setTimeout(() => attackers.kill('SIGKILL'), 10_000);
  const report = await reported;
  await ended;
  clearTimeout(timer);
  return report;
}

/** Waits until the server uses little more memory than at the start and serves all clients. Returns the last measurement. */
async function settle(server, { start, keptMs, ports }) {
  const until = performance.now() + keptMs + SETTLE_MS;
  for (;;) {
    if (server.death !== undefined) return undefined;
    // Expired entries are removed lazily, by the next request.
    const problem = await new HonestClients(ports).tryAll().then(
      () => undefined,
      (error) => error.message || error.constructor.name,
    );
    const collected = await server.collect();
    if (collected === undefined) return undefined;
    const growth = collected.heapUsed + collected.external - start.heapUsed - start.external;
    const isOver = (growth <= MAX_GROWTH && problem === undefined) || performance.now() > until;
    if (isOver) return { ...collected, growth, problem };
    await wait(500);
  }
}

/** The process of the attacked server, for its parent. */
class AttackedServer {
  process;
  ended;
  /** The reason of its end, if it has ended. */
  death;
  complaints = '';
  /** Maximum of each reported value. */
  seen = { used: 0, heapUsed: 0, external: 0, rss: 0, blockedMs: 0, delayMs: 0, waitedMs: 0 };

  constructor(file, options) {
    this.process = fork(file, [], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`, '--expose-gc'],
      env: { ...process.env, MEMORY_ATTACK: JSON.stringify(options) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    // The process may end while a message is sent.
    this.process.on('error', () => {});
    this.process.stderr.on('data', (chunk) => {
      this.complaints = (this.complaints + String(chunk)).slice(-20_000);
    });
    this.ended = new Promise((resolve) => {
      this.process.once('exit', (code, signal) => {
        this.death = `${signal ?? code}: ${reasonOf(this.complaints)}`;
        resolve();
      });
    });
    this.process.on('message', (message) => {
      if (message.used === undefined) return;
      for (const [name, value] of Object.entries(message)) this.seen[name] = Math.max(this.seen[name], value);
    });
  }

  /** Its memory after garbage collection; undefined if it has ended. */
  async collect() {
    if (this.death !== undefined) return undefined;
    const heard = this.hear('collected');
    this.process.send('collect');
    return (await heard).collected;
  }

  /** Waits for a message with a key; an empty one if the process ends first. */
  hear(key) {
    const heard = new Promise((resolve) => {
      const listener = (message) => {
        if (!(key in message)) return;
        this.process.off('message', listener);
        resolve(message);
      };
      this.process.on('message', listener);
    });
    return Promise.race([heard, this.ended.then(() => ({}))]);
  }

  async stop() {
    if (this.death !== undefined) return;
    this.process.kill('SIGKILL');
    await this.ended;
  }
}

/** The line of the output with the reason of a crash. */
function reasonOf(complaints) {
  const lines = complaints.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /FATAL ERROR|^\w*Error/.test(line))?.trim() ?? lines.at(-1) ?? '';
}
