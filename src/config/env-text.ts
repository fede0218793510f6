/** A text that came, as a whole or in part, from variables of the environment. Never shown. */
export class EnvText {
  readonly text: string;
  /** How it was written in the file. */
  readonly source: string;
  /** Whether a part of it is not there: that is said already, and nothing more can be said of it. */
  readonly isMissing: boolean;

  constructor(text: string, source: string, isMissing: boolean) {
    this.text = text;
    this.source = source;
    this.isMissing = isMissing;
  }
}

/** The variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>;

/** `${env:NAME}`; with another dollar in front it is text. */
const REFERENCE = /\$?\$\{env:([^{}]*)\}/g;

/** What is found of variables in a document. */
export interface MissingVariable {
  readonly path: readonly (number | string)[];
  readonly name: string;
  readonly message: string;
}

/** Puts variables in the place of their references, everywhere in a value. Those that do not exist are listed. */
export function substituteEnv(
  value: unknown,
  env: Env,
): { value: unknown; missing: readonly MissingVariable[] } {
  const missing: MissingVariable[] = [];
  const walk = (part: unknown, path: readonly (number | string)[]): unknown => {
    if (typeof part === 'string')
      return substituteText(part, env, (name, message) => missing.push({ path, name, message }));
    if (Array.isArray(part)) return part.map((entry, index) => walk(entry, [...path, index]));
    if (!isPlain(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, entry]) => [key, walk(entry, [...path, key])]));
  };
  return { value: walk(value, []), missing };
}

function substituteText(
  text: string,
  env: Env,
  note: (name: string, message: string) => void,
): EnvText | string {
  if (!text.includes('${env:')) return text;
  let isFromEnv = false;
  let isMissing = false;
  const replaced = text.replaceAll(REFERENCE, (reference, name: string) => {
    if (reference.startsWith('$$')) return reference.slice(1);
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      note(name, `${reference} is no variable: a name has letters, digits and "_"`);
      isFromEnv = isMissing = true;
      return '';
    }
    const found = Object.hasOwn(env, name) ? env[name] : undefined;
    if (found === undefined)
      note(
        name,
        `the environment has no variable ${name}. Set it, or write $${reference} if it is meant as text`,
      );
    isFromEnv = true;
    isMissing ||= found === undefined;
    return found ?? '';
  });
  return isFromEnv ? new EnvText(replaced, text, isMissing) : replaced;
}

/** Of a configuration in code, only what is written as data is looked into. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
