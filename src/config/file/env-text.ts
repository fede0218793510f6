import { isCode, isPlain } from './is-code.ts';

/** A piece of a text: what stands in the file, or what a variable has, and how it is referred to. */
export interface EnvPiece {
  readonly text: string;
  /** `${env:NAME}`; undefined for what stands in the file. */
  readonly reference?: string;
}

/** A text that came, as a whole or in part, from variables of the environment. Never shown. */
export class EnvText {
  readonly text: string;
  readonly pieces: readonly EnvPiece[];
  /** How it was written in the file. */
  readonly source: string;
  /** Whether a part of it is not there: that is said already, and nothing more can be said of it. */
  readonly isMissing: boolean;

  constructor(pieces: readonly EnvPiece[], source: string, isMissing: boolean) {
    this.text = join(pieces);
    this.pieces = pieces;
    this.source = source;
    this.isMissing = isMissing;
  }
}

/** The variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>;

/** `${env:NAME}`; with another dollar in front it is text. */
const REFERENCE = /\$?\$\{env:([^{}]*)\}/g;

type Path = readonly (number | string)[];

/** What is found of variables in a document. */
export interface MissingVariable {
  readonly path: Path;
  readonly name: string;
  readonly message: string;
}

/** A place in a document that has something from the environment. */
export interface EnvUse {
  readonly path: Path;
  readonly text: EnvText;
}

/** A document with variables in it, what is missing, and where there are some. */
export interface Substituted {
  readonly value: unknown;
  readonly missing: readonly MissingVariable[];
  readonly uses: readonly EnvUse[];
}

/** Puts variables in the place of their references, everywhere in a value. Those that do not exist are listed. */
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
    // What is code has the environment at hand, and its texts may mean something else.
    if (Array.isArray(part))
      return part.map((entry, index) => (isCode(entry) ? entry : walk(entry, [...path, index])));
    if (!isPlain(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, entry]) => [key, walk(entry, [...path, key])]));
  };
  return { value: walk(value, []), missing, uses };
}

/** The texts themselves, also where no schema says what belongs there. What is code stays what it is. */
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
    return `${reference} is not a variable: a name has letters, digits and "_"`;
  if (found !== undefined) return undefined;
  return `the environment has no variable ${name}. Set it, or write $${reference} if it is meant as text`;
}

function join(pieces: readonly EnvPiece[]): string {
  return pieces.map(({ text }) => text).join('');
}
