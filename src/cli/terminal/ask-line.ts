import { createInterface } from 'node:readline';
import type { Interface } from 'node:readline';

/** Asks for lines. What is typed or pasted ahead is kept for the next question. */
export function createAsk(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): (question: string) => Promise<string | undefined> {
  let reader: { readonly lines: Interface; readonly typed: AsyncIterator<string> } | undefined;
  const open = (): NonNullable<typeof reader> => {
    const lines = createInterface({ input, output });
    // The terminal no longer does it: it hands out every key.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    return { lines, typed: lines[Symbol.asyncIterator]() };
  };
  return async (question) => {
    reader ??= open();
    reader.lines.setPrompt(question);
    reader.lines.prompt();
    const { value, done } = await reader.typed.next();
    return done === true ? undefined : value;
  };
}
