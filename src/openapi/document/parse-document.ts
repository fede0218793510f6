import * as yaml from 'js-yaml';
import { CORE_SCHEMA, loadAll, YAMLException } from 'js-yaml';
import type { Type } from 'js-yaml';
import { DefinitionError } from '../../errors/errors.ts';
import { tooDeep, tooManyNodes } from './document-limits.ts';
import type { TreeLimits } from './document-limits.ts';
import { measureJson, measureTree } from './measure-document.ts';

/** A text, and what it is called in messages: a path, a URL, or `The document`. */
export interface DocumentText {
  readonly name: string;
  readonly text: string;
}

/** What a text says. Safe to be walked through from top to bottom. */
export interface ParsedDocument {
  readonly value: unknown;
  /** How many values there are, those repeated that YAML aliases repeat. */
  readonly nodes: number;
  /** What was tolerated. */
  readonly notes: readonly string[];
}

/** Reads JSON, or else YAML. Nothing that it gives contains itself, is deeper than allowed or stands for more values than allowed. */
export function parseDocument(document: DocumentText, limits: TreeLimits): ParsedDocument {
  const { name } = document;
  const text = document.text.charCodeAt(0) === BYTE_ORDER_MARK ? document.text.slice(1) : document.text;
  const first = text.charCodeAt(text.search(/\S/));
  if (Number.isNaN(first)) throw new DefinitionError(`${name} is empty.`);
  if (/^\s*<[!?A-Za-z]/.test(text)) {
    throw new DefinitionError(
      `${name} is a page of HTML or XML, not JSON or YAML. If it shows the documentation of an API, look there for the address of its OpenAPI document.`,
    );
  }
  const json = first === OPEN_OBJECT || first === OPEN_ARRAY ? readJson({ name, text }, limits) : undefined;
  if (json !== undefined && 'value' in json) return json;
  return readYaml({ name, text }, limits, json?.mistake);
}

const BYTE_ORDER_MARK = 0xfe_ff;
const OPEN_ARRAY = 91;
const OPEN_OBJECT = 123;

function readJson({ name, text }: DocumentText, limits: TreeLimits): ParsedDocument | { mistake: string } {
  const { nodes } = measureJson(name, text, limits);
  try {
    return { value: JSON.parse(text) as unknown, nodes, notes: [] };
  } catch (error) {
    return { mistake: describeJsonMistake((error as Error).message, text) };
  }
}

/** Engines say it in ways of their own: where it is, or what it is, or both. Their texts hold parts of the document, so they are not shown. */
function describeJsonMistake(message: string, text: string): string {
  const position = Number(/at position (\d{1,10})/.exec(message)?.[1] ?? Number.NaN);
  const found = /token '?(\S)/.exec(message)?.[1] ?? text[position];
  const what = found === undefined ? 'it ends too early' : `${JSON.stringify(found)} should not be`;
  if (found === undefined) return what;
  if (Number.isNaN(position)) return `${what} where it is`;
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  return `${what} in line ${line}, column ${before.length - before.lastIndexOf('\n')}`;
}

/** Dates stay texts, and `<<` merges, which newer versions of YAML have no more and documents have all the same. */
const { types } = yaml as unknown as { readonly types: { readonly merge: Type } };
const SCHEMA = CORE_SCHEMA.extend({ implicit: [types.merge] });
/** So many members may come into a document by `<<`. */
const MAX_MERGED = 1_000_000;

/** Options that the types of the library do not know. */
interface YamlLimits {
  readonly maxDepth: number;
  readonly maxTotalMergeKeys: number;
}

function readYaml(document: DocumentText, limits: TreeLimits, jsonMistake?: string): ParsedDocument {
  const { name } = document;
  const notes: string[] = [];
  if (jsonMistake !== undefined) notes.push(`${name} is no JSON (${jsonMistake}); it was read as YAML.`);
  let documents: readonly unknown[];
  try {
    documents = loadYaml(document, limits, false);
  } catch (error) {
    if (!(error instanceof YAMLException) || error.reason !== 'duplicated mapping key')
      throw toError(document, error, { limits, jsonMistake });
    try {
      documents = loadYaml(document, limits, true);
    } catch (other) {
      throw toError(document, other, { limits, jsonMistake });
    }
    notes.push(
      `${placeOf(name, error)}: this key is there already; the last one counts, here and elsewhere.`,
    );
  }
  const [value, ...others] = documents;
  if (value === undefined || value === null) throw new DefinitionError(`${name} is empty.`);
  if (others.some((other) => other !== null && other !== undefined))
    notes.push(`${name} has ${documents.length} documents, with --- between them; only the first is read.`);
  const { nodes } = measureTree(name, value, limits);
  return { value, nodes, notes };
}

function loadYaml({ name, text }: DocumentText, limits: TreeLimits, mayRepeatKeys: boolean): unknown[] {
  let containers = 0;
  const own: YamlLimits = {
    // Scalars and keys have a level of their own there; what is exactly too deep is found afterwards.
    maxDepth: limits.maxDocumentDepth + 8,
    maxTotalMergeKeys: MAX_MERGED,
  };
  return loadAll(text, null, {
    ...own,
    schema: SCHEMA,
    json: mayRepeatKeys,
    // A short text can take a lot of memory. Some are looked at twice, so this is only a bound.
    listener(event, { kind }) {
      if (event !== 'close' || (kind !== 'mapping' && kind !== 'sequence')) return;
      containers += 1;
      if (containers > limits.maxDocumentNodes * 2) throw tooManyNodes(name, limits);
    },
  });
}

interface Mishap {
  readonly limits: TreeLimits;
  readonly jsonMistake: string | undefined;
}

/** The error of the library holds the whole text, so it is not kept. */
function toError(document: DocumentText, error: unknown, { limits, jsonMistake }: Mishap): DefinitionError {
  const { name, text } = document;
  if (error instanceof DefinitionError) return error;
  if (!(error instanceof YAMLException)) return tooDeep(name, limits);
  const reason = String(error.reason);
  if (reason.startsWith('nesting exceeded')) return tooDeep(name, limits);
  if (reason.startsWith('merge keys exceeded'))
    return new DefinitionError(`${name} merges more than ${MAX_MERGED} members by "<<".`);
  const what = `${placeOf(name, error)}: ${reason}${excerptOf(text, error)}`;
  if (jsonMistake === undefined) return new DefinitionError(`${what}.`);
  return new DefinitionError(`${name} is no JSON (${jsonMistake}), and no YAML either: ${what}.`);
}

/** Some mistakes have no place. */
function markOf({ mark }: YAMLException): YAMLException['mark'] | undefined {
  return mark;
}

function placeOf(name: string, error: YAMLException): string {
  const mark = markOf(error);
  return mark === undefined ? name : `${name}, line ${mark.line + 1}, column ${mark.column + 1}`;
}

const EXCERPT = 60;

function excerptOf(text: string, error: YAMLException): string {
  const mark = markOf(error);
  if (mark === undefined) return '';
  const from = mark.position - Math.min(mark.column, EXCERPT / 2);
  const [line = ''] = text.slice(from, from + EXCERPT).split(/[\r\n]/);
  const shown = line.trim();
  return shown === '' ? '' : `, at ${JSON.stringify(shown)}`;
}
