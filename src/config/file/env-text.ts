import { isCode, isPlain } from './is-code.ts';

/** A part of a string: literal text, or the value of an environment variable. */
export interface EnvPiece {
  readonly text: string;
  /** `${env:NAME}`; undefined for literal text. */
  readonly reference?: string;
}

/** A string with values of environment variables. It is never shown. */
export class EnvText {
  readonly text: string;
  readonly pieces: readonly EnvPiece[];
  /** The string as written in the file. */
  readonly source: string;
  /** Whether a variable is missing. This is reported already, so the string is not validated. */
  readonly isMissing: boolean;

  constructor(pieces: readonly EnvPiece[], source: string, isMissing: boolean) {
    this.text = join(pieces);
    this.pieces = pieces;
    this.source = source;
    this.isMissing = isMissing;
  }
}

/** Environment variables. */
export type Env = Readonly<Record<string, string | undefined>>;

/** `${env:NAME}`; `$${env:NAME}` is literal text. */
const REFERENCE = /\$?\$\{env:([^{}]*)\}/g;

type Path = readonly (number | string)[];

/** A reference to an environment variable that is not set. */
export interface MissingVariable {
  readonly path: Path;
  readonly name: string;
  readonly message: string;
}

/** A string with environment variables, and its path. */
export interface EnvUse {
  readonly path: Path;
  readonly text: EnvText;
}

/** A document after substitution, the missing variables, and the strings that contain variables. */
export interface Substituted {
  readonly value: unknown;
  readonly missing: readonly MissingVariable[];
  readonly uses: readonly EnvUse[];
}

/** Replaces references with the values of environment variables, recursively. Missing variables are listed. */
export function substituteEnv(value: unknown, env: Env): Substituted {
  const missing: MissingVariable[] = [];
  const uses: EnvUse[] = [];
  const fill = (given: string, path: Path): EnvText | string => {
    const text = substituteText(given, env, (name, message) => missing.push({ path, name, message }));
    if (text instanceof EnvText) uses.push({ path, text });
    return text;
  };
  const walk = (part: unknown, path: Path): unknown => {
    if (typeof part === 'string') return fill(part, path);
    // Code can read the environment itself, and its strings may contain "${env:" with another meaning.
    if (Array.isArray(part))
      return part.map((entry, index) => (isCode(entry) ? entry : walk(entry, [...path, index])));
    if (!isPlain(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, entry]) => [key, walk(entry, [...path, key])]));
  };
  return { value: walk(value, []), missing, uses };
}

/** Replaces every {@link EnvText} with its string. Code is left unchanged. */
export function unwrapEnv(value: unknown): unknown {
  if (value instanceof EnvText) return value.text;
  if (Array.isArray(value))
    return value.map((entry) => (isCode(entry) && !(entry instanceof EnvText) ? entry : unwrapEnv(entry)));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, unwrapEnv(entry)]));
}

function substituteText(
  text: string,
  env: Env,
  note: (name: string, message: string) => void,
): EnvText | string {
  if (!text.includes('${env:')) return text;
  const pieces: EnvPiece[] = [];
  let isMissing = false;
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const [reference, name = ''] = match;
    const before = text.slice(end, match.index);
    end = match.index + reference.length;
    if (reference.startsWith('$$')) {
      pieces.push({ text: `${before}${reference.slice(1)}` });
      continue;
    }
    const found = Object.hasOwn(env, name) ? env[name] : undefined;
    const problem = findProblem(reference, name, found);
    if (problem !== undefined) note(name, problem);
    isMissing ||= problem !== undefined;
    pieces.push({ text: before }, { text: found ?? '', reference });
  }
  pieces.push({ text: text.slice(end) });
  const isFromEnv = pieces.some(({ reference }) => reference !== undefined);
  return isFromEnv ? new EnvText(pieces, text, isMissing) : join(pieces);
}

function findProblem(reference: string, name: string, found: string | undefined): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name))
    return `has an invalid variable name in ${reference}: use letters, digits and "_"`;
  if (found !== undefined) return undefined;
  return `refers to the environment variable ${name}, which is not set. Set it, or write $${reference} for literal text`;
}

function join(pieces: readonly EnvPiece[]): string {
  return pieces.map(({ text }) => text).join('');
}
