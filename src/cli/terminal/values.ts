import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isObject } from '../../base/is-object.ts';
import { didYouMean } from '../../errors/nearest-names.ts';
import { UsageError } from './command.ts';
import { typesOf } from './schema-fields.ts';
import type { Terminal } from './terminal.ts';

type Args = Record<string, unknown>;

/** Parses `--args`: JSON, `@file`, or `-` for standard input. */
export async function readJsonArgs(given: string | undefined, terminal: Terminal): Promise<Args> {
  if (given === undefined) return {};
  const text = await readText(given, terminal);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `Invalid --args: expected JSON (${(error as Error).message}). Put it in single quotes: --args '{"a": 1}'`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--args must be a JSON object: --args \'{"a": 1}\'');
  return value as Args;
}

async function readText(given: string, { cwd, readInput }: Terminal): Promise<string> {
  if (given === '-') return readInput();
  if (!given.startsWith('@')) return given;
  try {
    return readFileSync(resolve(cwd, given.slice(1)), 'utf8');
  } catch {
    throw new UsageError(`--args: file not found: ${given.slice(1)}.`);
  }
}

/** Parses `name=value` and `name:=json`. A value of `name=value` is parsed as JSON unless the schema allows a string. */
export function readPairs(words: readonly string[], schema: unknown): Args {
  const args: Args = {};
  for (const word of words) {
    const match = /^([^=]+?)(:?=)(.*)$/s.exec(word);
    if (match === null)
      throw new UsageError(`Unexpected argument "${word}". Write name=value or name:=json.`);
    const [, name = '', sign, text = ''] = match;
    args[name] = sign === ':=' ? parseJson(name, text) : readValue(name, text, argumentTypes(schema, name));
  }
  return args;
}

function readValue(name: string, text: string, types: ReadonlySet<string>): unknown {
  return isText(types) ? text : parseJson(name, text, [...types]);
}

/** Whether `name=value` sends a string; `name:=json` then sends other types. */
function isText(types: ReadonlySet<string>): boolean {
  return types.has('string') || types.has('any');
}

/** The notation that can send every value of an argument: `name=` or `name:=`. */
export function writeSign(schema: unknown, name: string): '=' | ':=' {
  const types = argumentTypes(schema, name);
  return isText(types) && [...types].some((type) => type !== 'string' && type !== 'null') ? ':=' : '=';
}

function parseJson(name: string, text: string, types: readonly string[] = []): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const isNested = types.includes('array') || types.includes('object');
    const wanted =
      types.length === 0 ? 'JSON' : `of type ${types.join(' or ')}${isNested ? ' (as JSON)' : ''}`;
    throw new UsageError(`Argument "${name}" must be ${wanted}; received "${text}".`);
  }
}

function argumentTypes(schema: unknown, name: string): ReadonlySet<string> {
  return typesOf(propertiesOf(schema)[name], schema);
}

/** Warnings about unknown arguments; none if the schema allows additional properties. */
export function remarksOnNames(args: Args, schema: unknown): string[] {
  const known = Object.keys(propertiesOf(schema));
  if (known.length === 0 || !isObject(schema) || OPEN_KEYWORDS.some((keyword) => takesMore(schema[keyword])))
    return [];
  return Object.keys(args)
    .filter((name) => !known.includes(name))
    .map((name) => `Unknown argument "${name}".${didYouMean(name, known)}`);
}

/** Keywords with which a schema may allow other properties than those in `properties`. */
const OPEN_KEYWORDS = [
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  '$ref',
] as const;

function takesMore(value: unknown): boolean {
  return value !== undefined && value !== false;
}

/** The `properties` of a schema. */
export function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  // Without a prototype: an argument may be named like a member of Object.prototype.
  return Object.assign(Object.create(null), isObject(properties) ? properties : {}) as Args;
}
