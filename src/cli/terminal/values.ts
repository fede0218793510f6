import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from './command.ts';
import type { Terminal } from './terminal.ts';

type Args = Record<string, unknown>;

/** The JSON of `--args`: written out, `@file`, or `-` for standard input. */
export async function readJsonArgs(given: string | undefined, terminal: Terminal): Promise<Args> {
  if (given === undefined) return {};
  const text = await readText(given, terminal);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `--args is not valid JSON: ${(error as Error).message}. Write it in single quotes: --args '{"a": 1}'`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--args must be an object: --args \'{"a": 1}\'');
  return value as Args;
}

async function readText(given: string, { cwd, readInput }: Terminal): Promise<string> {
  if (given === '-') return readInput();
  if (!given.startsWith('@')) return given;
  try {
    return readFileSync(resolve(cwd, given.slice(1)), 'utf8');
  } catch {
    throw new UsageError(`There is no file ${given.slice(1)}.`);
  }
}

/** `name=text`, or `name:=json`. Where the schema wants something else than a text, a text that is JSON becomes it. */
export function readPairs(words: readonly string[], schema: unknown): Args {
  const args: Args = {};
  for (const word of words) {
    const match = /^([^=]+?)(:?=)(.*)$/s.exec(word);
    if (match === null)
      throw new UsageError(`Unexpected argument "${word}". Write name=value, or name:=json.`);
    const [, name = '', sign, text = ''] = match;
    args[name] = sign === ':=' ? parseJson(name, text) : readValue(name, text, typesOf(schema, name));
  }
  return args;
}

function readValue(name: string, text: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes('string')) return text;
  return parseJson(name, text, types);
}

function parseJson(name: string, text: string, types: readonly string[] = []): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const wanted = types.length === 0 ? 'JSON' : `${types.join(' or ')}, written as JSON`;
    throw new UsageError(`The argument "${name}" must be ${wanted}; it got "${text}".`);
  }
}

/** What types an argument may have, as far as the schema says so plainly. */
function typesOf(schema: unknown, name: string): readonly string[] {
  const properties =
    (schema as { properties?: Readonly<Record<string, unknown>> } | undefined)?.properties ?? {};
  const property = Object.hasOwn(properties, name)
    ? (properties[name] as { type?: unknown; anyOf?: unknown })
    : undefined;
  const { type, anyOf } = property ?? {};
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((each) => typeof each === 'string');
  if (!Array.isArray(anyOf)) return [];
  const types = anyOf.map((each) => (each as { type?: unknown }).type);
  return types.every((each) => typeof each === 'string') ? types : [];
}
