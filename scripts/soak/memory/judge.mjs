/** The memory attack: a server with a small heap, attackers, other clients, and what became of all of them. */
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
/** What all attackers may cost the server together: about half of a processor. The attack is on its memory. */
const BYTES_PER_SECOND = 40_000_000;
const WARM_UP_TURNS = 50;
/** How long the server may take to be as it was, once everything that it keeps has expired. */
const SETTLE_MS = 15_000;
export const MAX_GROWTH = 16 * 1_048_576;

/**
 * Attacks a server for a time with all of these at once; what was found. `keptMs` is how long it keeps tasks and sessions; `server`,
 * the file of another server.
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

/** Ends the attack; what the attackers report. */
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

/** Waits until the server uses little more than in the beginning and serves everybody; the last measurement. */
async function settle(server, { start, keptMs, ports }) {
  const until = performance.now() + keptMs + SETTLE_MS;
  for (;;) {
    if (server.death !== undefined) return undefined;
    // What has expired goes when somebody comes.
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

/** The server under attack, seen from outside. */
class AttackedServer {
  process;
  ended;
  /** How it ended, if it did. */
  death;
  complaints = '';
  /** The highest that it told of everything, so far. */
  seen = { used: 0, heapUsed: 0, external: 0, rss: 0, blockedMs: 0, delayMs: 0, waitedMs: 0 };

  constructor(file, options) {
    this.process = fork(file, [], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`, '--expose-gc'],
      env: { ...process.env, MEMORY_ATTACK: JSON.stringify(options) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    // It may die while it is told something.
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

  /** What it uses after a collection of garbage; undefined when it is dead. */
  async collect() {
    if (this.death !== undefined) return undefined;
    const heard = this.hear('collected');
    this.process.send('collect');
    return (await heard).collected;
  }

  /** Waits for a message that has the key; one without anything when the process ends first. */
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

/** The line that says why a process of Node died. */
function reasonOf(complaints) {
  const lines = complaints.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /FATAL ERROR|^\w*Error/.test(line))?.trim() ?? lines.at(-1) ?? '';
}
