import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { quick } from './settings.mjs';

const PROFILE_MS = quick ? 1500 : 4000;
const TOP = 15;

/**
 * The functions of a server with the most CPU time of their own, after a warm-up.
 *
 * @param {import('./group.mjs').Lane} lane
 * @returns {Promise<string>}
 */
export async function profileLane(lane) {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-bench-'));
  const file = join(folder, 'server.cpuprofile');
  const running = await lane.start();
  try {
    await running.measure(PROFILE_MS / 2);
    await running.child.ask('startProfile');
    await running.measure(PROFILE_MS);
    await running.child.ask('stopProfile', { file });
    return format(JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    await running.close();
    rmSync(folder, { recursive: true });
  }
}

/**
 * The same from the start of a process to its end.
 *
 * @param {(flags: readonly string[]) => Promise<void>} run starts it with these flags of Node, and waits until it has ended by itself
 * @returns {Promise<string>}
 */
export async function profileStart(run) {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-bench-'));
  try {
    await run(['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200']);
    const [file] = readdirSync(folder);
    return format(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {import('node:inspector').Profiler.Profile} profile */
function format({ nodes, samples, timeDeltas }) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byFunction = new Map();
  const byOrigin = new Map();
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    // Idle time does not count.
    if (frame.functionName === '(idle)') continue;
    addTo(byFunction, nameOf(frame), timeDeltas[index]);
    addTo(byOrigin, originOf(frame), timeDeltas[index]);
  }
  const shares = toShares(byOrigin).map(([origin, share]) => `${origin} ${share} %`);
  const functions = toShares(byFunction).slice(0, TOP);
  return [
    `by origin: ${shares.join(', ')}`,
    ...functions.map(([name, share]) => `${share.padStart(5)} %  ${name}`),
  ].join('\n');
}

function addTo(sums, key, us) {
  sums.set(key, (sums.get(key) ?? 0) + us);
}

/** Largest first. */
function toShares(sums) {
  const total = [...sums.values()].reduce((sum, us) => sum + us, 0);
  return [...sums].sort(([, a], [, b]) => b - a).map(([key, us]) => [key, ((us / total) * 100).toFixed(1)]);
}

function originOf({ functionName, url }) {
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (url === '') return 'V8 and the system';
  if (url.startsWith('node:')) return 'Node';
  const modules = url.split('/node_modules/');
  if (modules.length > 1) return modules.at(-1).split('/')[0];
  return /\/bench\/(?:serving\/|[\w-]+\.mjs)/.test(url) ? 'the benchmark' : 'Toolwright';
}

/** A folder is enough to distinguish our code from Node and other packages. */
function nameOf({ functionName, url, lineNumber }) {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url === '') return name;
  const short = url.startsWith('node:') ? url : url.split('/').slice(-3, -1).concat(basename(url)).join('/');
  return `${name}  ${short}:${lineNumber + 1}`;
}
