/** What can be told of a thrown value. */
export interface ThrownDescription {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
}

/** Reads a thrown value of any kind, also one whose own getters throw. */
export function describeThrown(thrown: unknown): ThrownDescription {
  try {
    if (thrown instanceof Error) {
      const { name, message, stack } = thrown;
      return {
        name: String(name),
        message: String(message),
        ...(typeof stack === 'string' ? { stack: withCauses(stack, thrown) } : {}),
      };
    }
    return { name: typeof thrown, message: String(thrown) };
  } catch {
    return { name: 'unknown', message: 'a value that cannot be read was thrown' };
  }
}

/** Causes say why; a few levels are enough, and a cycle of causes must end. */
function withCauses(stack: string, error: Error): string {
  let text = stack;
  let cause: unknown = error.cause;
  for (let depth = 0; depth < 5 && cause !== undefined; depth += 1) {
    text += `\nCaused by: ${cause instanceof Error ? (cause.stack ?? cause.message) : describeThrown(cause).message}`;
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return text;
}
