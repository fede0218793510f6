import { findJsonRefusal } from '../base/json/find-json-refusal.ts';

/** What can be told of a thrown value. */
export interface ThrownDescription {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
}

const UNREADABLE: ThrownDescription = { name: 'unknown', message: 'a value that cannot be read was thrown' };

/** Reads a thrown value of any kind, also one whose own getters throw. */
export function describeThrown(thrown: unknown): ThrownDescription {
  return attempt(() => {
    if (!(thrown instanceof Error)) return { name: typeof thrown, message: toText(thrown) };
    const { name, message, stack } = thrown;
    return {
      name: String(name),
      message: String(message),
      ...(typeof stack === 'string' ? { stack: stack + describeCauses(thrown) } : {}),
    };
  }, UNREADABLE);
}

/** Causes say why; a few levels are enough, and a cycle of causes must end. */
const MAX_CAUSES = 5;

function describeCauses(error: Error): string {
  let text = '';
  let cause = causeOf(error);
  for (let depth = 0; depth < MAX_CAUSES && cause !== undefined; depth += 1) {
    text += `\nCaused by: ${describeCause(cause)}`;
    cause = causeOf(cause);
  }
  return text;
}

function causeOf(thrown: unknown): unknown {
  return attempt<unknown>(() => (thrown instanceof Error ? thrown.cause : undefined), undefined);
}

/** A cause that cannot be read must not take the description of the error with it. */
function describeCause(cause: unknown): string {
  return attempt(
    () => (cause instanceof Error ? (cause.stack ?? String(cause.message)) : toText(cause)),
    UNREADABLE.message,
  );
}

/** More than a log needs; the value may be anything. */
const MAX_SHOWN = { maxBytes: 65_536, maxDepth: 64 };

/** `[object Object]` helps nobody: what is thrown in place of an error usually has members that say something. */
function toText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const json = attempt(() => {
    const refusal = findJsonRefusal(value, MAX_SHOWN);
    if (refusal === 'large') return 'a value that is too large to be shown was thrown';
    return refusal === undefined ? JSON.stringify(value) : undefined;
  }, undefined);
  return json ?? UNREADABLE.message;
}

function attempt<TResult>(read: () => TResult, otherwise: TResult): TResult {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
