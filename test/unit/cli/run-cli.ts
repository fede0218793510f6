import { main } from '../../../src/cli/main.ts';
import { createPaint } from '../../../src/cli/terminal/terminal.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';

/** Result of a command line. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, with a terminal that only records. */
export async function runCli(
  line: readonly string[],
  { input = '', ...own }: Partial<Terminal> & { readonly cwd: string; readonly input?: string },
): Promise<Ran> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await main(line, {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    env: {},
    columns: undefined,
    isWatched: false,
    paintOut: createPaint(false),
    paintErr: createPaint(false),
    readInput: async () => input,
    ...own,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}
