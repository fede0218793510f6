import { didYouMean } from '../../errors/nearest-names.ts';
import type { MemoryState } from '../../stores/memory-state.ts';
import { textFlags, UsageError } from '../terminal/command.ts';
import type { CommandCall } from '../terminal/command.ts';

export const WORKERS_NEED_HTTP =
  '--workers applies only to HTTP, because processes cannot share standard input and output. Add --http.';

/** For each kind of state, the way to share it. */
const ADVICE: Readonly<Record<MemoryState, string>> = {
  sessions:
    'sessions of clients of revisions before 2026-07-28: serve them without sessions with --no-sessions, or share them with stores.redis of a configuration',
  tasks: 'running and finished tasks: pass a shared taskStore to createServer',
  rateLimit:
    'counts of rate limits: pass a shared rateLimitStore to createServer, or a shared store to the middleware rateLimit',
  confirmations: 'tokens of confirmations: pass a shared confirmationStore to createServer',
  cache:
    'cached values: pass a shared cache to createServer, or a shared store to the middleware resultCache',
  state: 'values of context.state and handles: pass a shared stateStore to createServer',
  eventBus: 'notifications of changes: pass a shared eventBus to createServer',
};

const STATES = Object.keys(ADVICE) as readonly MemoryState[];

/** The kinds of state of `--allow-memory`. */
export function readAllowed(call: CommandCall): ReadonlySet<string> {
  const names = textFlags(call, 'allow-memory').flatMap((each) => each.split(',').map((name) => name.trim()));
  const unknown = names.find((name) => !(STATES as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `Unknown state "${unknown}" in --allow-memory.${didYouMean(unknown, STATES)} States: ${STATES.join(', ')}.`,
    );
  return new Set(names);
}

/** A server that several workers serve. */
interface SharingServer {
  readonly count: number;
  readonly isConfiguration: boolean;
}

/** Rejects state that each worker would have for itself, unless it is allowed by name. */
export function assertShared(
  inMemory: readonly MemoryState[],
  allowed: ReadonlySet<string>,
  { count, isConfiguration }: SharingServer,
): void {
  const missing = STATES.filter((state) => inMemory.includes(state) && !allowed.has(state));
  if (missing.length === 0) return;
  const width = Math.max(...missing.map((state) => state.length));
  const lines = missing.map((state) => `  ${state.padEnd(width)}  ${ADVICE[state]}`);
  const all = STATES.filter((state) => missing.includes(state) || allowed.has(state));
  throw new UsageError(
    [
      `--workers ${count}: each worker would have its own state, because it is in memory:`,
      ...lines,
      ...(isConfiguration
        ? ['To share all of it, set stores in the configuration: { redis: { url } }.']
        : []),
      `To keep a separate state in each worker, allow it by name: --allow-memory ${all.join(',')}`,
    ].join('\n'),
  );
}
