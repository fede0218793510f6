import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a program of Node. Its first line on standard output or standard error that matches tells that it is ready.
 *
 * @param {readonly string[]} args
 * @param {RegExp} isReady
 * @returns {Promise<{ child: import('node:child_process').ChildProcess, found: RegExpExecArray }>}
 */
export async function startNode(args, isReady) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  running.add(child);
  child.on('exit', () => running.delete(child));
  let text = '';
  const found = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      text += chunk;
      const match = isReady.exec(text);
      if (match !== null) resolve(match);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}:\n${text}`)));
  });
  return { child, found };
}

/** Ends a process and waits for its end. */
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** Sends a command over the IPC channel, and returns the reply. */
export async function ask(child, message) {
  const reply = once(child, 'message');
  child.send(message);
  const [value] = await reply;
  return value;
}

/** CPU time of a process and of all processes that it has started, in milliseconds. The clock of the kernel has steps of 10 ms. */
export function cpuMsOf(pid) {
  const parents = new Map();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const fields = readFields(name);
    if (fields !== undefined) parents.set(Number(name), fields);
  }
  const isOwn = (each) => each === pid || (parents.has(each) && isOwn(parents.get(each).parent));
  let ticks = 0;
  for (const [each, fields] of parents) if (isOwn(each)) ticks += fields.ticks;
  return ticks * 10;
}

function readFields(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return undefined;
  }
}

/** Share of all processor time that other processes than ours have used. */
export function machineMs() {
  const fields = readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/).slice(1).map(Number);
  const [user, nice, system, idle, waiting] = fields;
  return { busy: (user + nice + system) * 10, total: (user + nice + system + idle + waiting) * 10 };
}
