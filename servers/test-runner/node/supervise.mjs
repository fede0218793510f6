/**
 * Runs one command of this Node and ends every process that it started.
 *
 *     supervise.mjs GRACE_SECONDS MEMORY_BYTES PROCESSES ARGUMENTS...
 *
 * The command ends when it exits, when its processes use too much memory, or when standard input of this process is closed: by the server to
 * cancel the run, or by the system if the server is killed. The exit code is that of the command, or 128 + signal.
 *
 * Node cannot adopt orphans as the Python supervisor does. A process belongs to the command if it has the session of the command, if the
 * environment names the run, or if it was seen as a descendant in one of the rounds below. So a process is missed if it starts in another
 * session with another environment, and if its parent ends within one round.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const [graceSeconds, memoryBytes, processes, ...args] = process.argv.slice(2);
const EVENTS_FD = 3;
const ROUND_MS = 500;
/** A bound for processes that cannot be killed, such as those in an uninterruptible system call. */
const KILL_MS = 10_000;
const MARKER = `TEST_RUN_ID=${process.env.TEST_RUN_ID}`;
/** bash and zsh have `-u`, dash and busybox `-p`. A hard limit below the number stays. */
const LIMIT = 'ulimit -u "$0" 2>/dev/null || ulimit -p "$0" 2>/dev/null; exec "$@"';

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
// The superuser is not subject to the limit of processes.
const [program, programArgs] =
  process.getuid?.() === 0
    ? [process.execPath, args]
    : ['/bin/sh', ['-c', LIMIT, String(countTasks() + Number(processes)), process.execPath, ...args]];
// A session of its own: a test that signals its own process group must not reach the supervisor.
const child = spawn(program, programArgs, {
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit', EVENTS_FD],
});
/** Start times of the processes of the command by id: the id of an ended process can belong to a new one. */
const known = new Map();

let end = () => undefined;
const ended = new Promise((resolve) => {
  end = resolve;
});
child.on('error', (error) => {
  writeSync(2, `Cannot start ${program}: ${error.message}\n`);
  end(127);
});
child.on('exit', (code, signal) => end(code ?? 128 + constants.signals[signal]));
for (const event of ['end', 'close', 'error']) {
  process.stdin.on(event, () => end(128 + constants.signals.SIGTERM));
}
process.stdin.resume();
const rounds = setInterval(() => {
  const used = listAlive().reduce((sum, { pid }) => sum + readMemory(pid), 0);
  if (used > Number(memoryBytes)) {
    const megabytes = Math.round(Number(memoryBytes) / 1e6);
    const message = `The run was ended: its processes used more than ${megabytes} MB of memory. Run fewer tests, or with fewer workers.`;
    // The last line of the command may not be complete.
    writeSync(EVENTS_FD, `\n${JSON.stringify({ event: 'problem', message })}\n`);
    end(128 + constants.signals.SIGKILL);
  }
}, ROUND_MS);

const code = await ended;
clearInterval(rounds);
await endAll();
process.exit(code);

async function endAll() {
  const killAt = Date.now() + Number(graceSeconds) * 1000;
  const signalled = new Set();
  let isGroupKilled = false;
  while (Date.now() < killAt + KILL_MS) {
    const alive = listAlive({ isMarked: true });
    if (alive.length === 0) {
      // A process that is replaced by its child while the list is read is not in it. The group of the command ends at once.
      if (isGroupKilled || !isGroupAlive()) return;
      send(-Number(child.pid), 'SIGKILL');
      isGroupKilled = true;
    }
    const isLate = Date.now() >= killAt;
    for (const { pid } of alive) {
      if (isLate) send(pid, 'SIGKILL');
      else if (!signalled.has(pid)) send(pid, 'SIGTERM');
      signalled.add(pid);
    }
    await delay(5);
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** The living processes of the command. Environments are read for the last rounds only, because that takes longest. */
function listAlive({ isMarked = false } = {}) {
  const names = listNames();
  // Without /proc, only the process group of the command is known.
  if (names === undefined) return isGroupAlive() ? [{ pid: -Number(child.pid) }] : [];
  const all = names.flatMap((name) => readProcess(name));
  const alive = new Map();
  const add = (found) => {
    known.set(found.pid, found.start);
    alive.set(found.pid, found);
  };
  for (const found of all) {
    const belongs =
      found.pid === child.pid ||
      found.session === child.pid ||
      known.get(found.pid) === found.start ||
      (isMarked && hasMarker(found.pid));
    if (belongs) add(found);
  }
  for (let size = -1; size !== alive.size;) {
    size = alive.size;
    for (const found of all) if (alive.has(found.parent)) add(found);
  }
  return [...alive.values()];
}

function listNames() {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  } catch {
    return undefined;
  }
}

function isGroupAlive() {
  try {
    return process.kill(-Number(child.pid), 0);
  } catch {
    return false;
  }
}

function readProcess(name) {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
    // The name of the command, in parentheses, can contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, , session] = fields;
    if (state === 'Z' || state === 'X') return [];
    return [{ pid: Number(name), parent: Number(parent), session: Number(session), start: fields[19] }];
  } catch {
    return [];
  }
}

function hasMarker(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(MARKER);
  } catch {
    return false;
  }
}

/** Processes and threads of the user: the system counts them all against the limit. 0 without /proc. */
function countTasks() {
  const counts = (listNames() ?? []).map((name) => {
    try {
      const isOwn = statSync(`/proc/${name}`).uid === process.getuid();
      return isOwn ? readdirSync(`/proc/${name}/task`).length : 0;
    } catch {
      return 0;
    }
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The resident memory of a process, in bytes. Pages that processes share count for each. */
function readMemory(pid) {
  try {
    return (
      Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024
    );
  } catch {
    return 0;
  }
}
