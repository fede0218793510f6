import { createInterface } from 'node:readline';
import type { Interface } from 'node:readline';

/** Creates a function that prompts for one line. Lines typed or pasted ahead are kept for the next prompt. */
export function createAsk(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): (question: string) => Promise<string | undefined> {
  let reader: { readonly lines: Interface; readonly typed: AsyncIterator<string> } | undefined;
  const open = (): NonNullable<typeof reader> => {
    const lines = createInterface({ input, output });
    // In raw mode the terminal does not send the signal itself.
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
