import { findJsonRefusal } from '../base/json/find-json-refusal.ts';

/** Name, message and stack of a thrown value. */
export interface ThrownDescription {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
}

const UNREADABLE: ThrownDescription = { name: 'unknown', message: 'a value that cannot be read was thrown' };

/** Describes a thrown value of any type, including one whose getters throw. */
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

/** Maximum number of causes that are described; also ends a cycle of causes. */
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

/** An unreadable cause must not lose the description of the error itself. */
function describeCause(cause: unknown): string {
  return attempt(
    () => (cause instanceof Error ? (cause.stack ?? String(cause.message)) : toText(cause)),
    UNREADABLE.message,
  );
}

/** Bounds for thrown objects that are written as JSON. */
const MAX_SHOWN = { maxBytes: 65_536, maxDepth: 64 };

/** Shows thrown objects as JSON, because `[object Object]` says nothing. */
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
