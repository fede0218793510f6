import { expect } from 'vitest';
import { runCli } from './run-cli.ts';
import type { Ran } from './run-cli.ts';

/** Environment of a command line. */
export interface Where {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly program?: readonly [node: string, file: string];
}

/** Runs a command that serves over HTTP until the check is over; then it is stopped, and must exit with 0. */
export async function whileServing(
  line: readonly string[],
  where: Where,
  check: (url: URL) => Promise<void>,
): Promise<Ran> {
  const before = process.rawListeners('SIGTERM');
  let found: (url: URL) => void = () => {};
  const served = new Promise<URL>((resolve) => {
    found = resolve;
  });
  const said: string[] = [];
  const ran = runCli(line, {
    ...where,
    err: (text) => {
      said.push(text);
      const url = / at (http:\S+)/.exec(text)?.[1];
      if (url !== undefined) found(new URL(url));
    },
  });
  const ended = ran.then(({ code }) =>
    Promise.reject(new Error(`it ended with ${code}: ${said.join('\n')}`)),
  );
  try {
    await check(await Promise.race([served, ended]));
  } finally {
    const stops = process.rawListeners('SIGTERM').filter((listener) => !before.includes(listener));
    for (const stop of stops) (stop as (signal: string) => void)('SIGTERM');
    expect((await ran).code).toBe(0);
  }
  return { ...(await ran), err: said.join('\n') };
}
