import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** The environment variable that all processes of a run have. */
export const RUN_MARKER = 'TEST_RUN_ID';

const ROUNDS = 200;
const ROUND_MS = 5;

/** A run: its id in the environment, and the session of its first process. */
export interface RunProcesses {
  readonly runId: string;
  readonly session: number;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly isMarked: boolean;
}

/**
 * The living processes of a run: those with its id in their environment, those of its session, and their descendants. Systems without
 * `/proc` list none.
 */
export function listSurvivors(run: RunProcesses): readonly number[] {
  const processes = listProcesses(run);
  const found = new Set(processes.filter(({ isMarked }) => isMarked).map(({ pid }) => pid));
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const { pid, parent } of processes) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

/** Kills the processes of a run that its supervisor left, for example because a test killed the supervisor. */
export async function killSurvivors(run: RunProcesses): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const pids = listSurvivors(run);
    if (pids.length === 0) return;
    for (const pid of pids) kill(pid);
    await delay(ROUND_MS);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function listProcesses(run: RunProcesses): readonly Process[] {
  const marker = `${RUN_MARKER}=${run.runId}`;
  return listProcNames().flatMap((name) => {
    try {
      if (statSync(`/proc/${name}`).uid !== process.getuid?.()) return [];
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The name of the command, in parentheses, can contain spaces and parentheses.
      const [state, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z' || state === 'X') return [];
      const isMarked = Number(session) === run.session || readEnvironment(name).includes(marker);
      return [{ pid: Number(name), parent: Number(parent), isMarked }];
    } catch {
      // It ended while it was read, or it is not readable, so it is not ours.
      return [];
    }
  });
}

function readEnvironment(name: string): readonly string[] {
  return readFileSync(`/proc/${name}/environ`, 'latin1').split('\0');
}

function listProcNames(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
