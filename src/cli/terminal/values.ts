import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isObject } from '../../base/is-object.ts';
import { didYouMean } from '../../errors/nearest-names.ts';
import { UsageError } from './command.ts';
import { typesOf } from './schema-fields.ts';
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
    args[name] = sign === ':=' ? parseJson(name, text) : readValue(name, text, argumentTypes(schema, name));
  }
  return args;
}

function readValue(name: string, text: string, types: ReadonlySet<string>): unknown {
  return isText(types) ? text : parseJson(name, text, [...types]);
}

/** Whether `name=value` sends a string: then it is `name:=json` that sends anything else. */
function isText(types: ReadonlySet<string>): boolean {
  return types.has('string') || types.has('any');
}

/** How an argument is written so that every value it may have can be sent: `name=` or `name:=`. */
export function writeSign(schema: unknown, name: string): '=' | ':=' {
  const types = argumentTypes(schema, name);
  return isText(types) && [...types].some((type) => type !== 'string' && type !== 'null') ? ':=' : '=';
}

function parseJson(name: string, text: string, types: readonly string[] = []): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const wanted = types.length === 0 ? 'JSON' : `${types.join(' or ')}, written as JSON`;
    throw new UsageError(`The argument "${name}" must be ${wanted}; it got "${text}".`);
  }
}

function argumentTypes(schema: unknown, name: string): ReadonlySet<string> {
  return typesOf(propertiesOf(schema)[name], schema);
}

/** What a call should know of arguments that the schema does not list; nothing where it may take others. */
export function remarksOnNames(args: Args, schema: unknown): string[] {
  const known = Object.keys(propertiesOf(schema));
  if (known.length === 0 || !isObject(schema) || OPEN_KEYWORDS.some((keyword) => takesMore(schema[keyword])))
    return [];
  return Object.keys(args)
    .filter((name) => !known.includes(name))
    .map((name) => `Unknown argument "${name}".${didYouMean(name, known)}`);
}

/** Keywords with which a schema takes members besides its `properties`. */
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

/** The members that a schema lists, by name. */
export function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  // Without a prototype: the name of an argument may be that of one of its members.
  return Object.assign(Object.create(null), isObject(properties) ? properties : {}) as Args;
}
