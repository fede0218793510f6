/** What a command talks to. Given from outside, so that tests can be one. */
export interface Terminal {
  /** Results: what a script reads. */
  readonly out: (text: string) => void;
  /** Everything that is said about them. */
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** How wide results may be; undefined where nobody looks at them. */
  readonly columns: number | undefined;
  /** Whether a person looks at what is said. */
  readonly isWatched: boolean;
  readonly paintOut: Paint;
  readonly paintErr: Paint;
  readonly readInput: () => Promise<string>;
}

/** Colours, or none. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

/** Colours where they are wanted. */
export function createPaint(hasColours: boolean): Paint {
  const paint =
    ([on, off]: readonly [number, number]) =>
    (text: string): string =>
      hasColours && text !== '' ? `\u001B[${on}m${text}\u001B[${off}m` : text;
  return {
    bold: paint(CODES.bold),
    dim: paint(CODES.dim),
    red: paint(CODES.red),
    green: paint(CODES.green),
    yellow: paint(CODES.yellow),
  };
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  return {
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    env,
    cwd: process.cwd(),
    columns: stdout.isTTY ? stdout.columns : undefined,
    isWatched: stderr.isTTY,
    paintOut: createPaint(wantsColours(stdout.isTTY, env)),
    paintErr: createPaint(wantsColours(stderr.isTTY, env)),
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}

/** https://no-color.org and its counterpart; otherwise where a person looks. */
function wantsColours(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return isTerminal && TERM !== 'dumb';
}

// oxlint-disable no-control-regex -- those are what is looked for
/** What a server says must not move the cursor or change the colours of whoever reads it. */
export function harmless(text: string): string {
  return text.replaceAll(
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2066-\u2069]/g,
    '',
  );
}
