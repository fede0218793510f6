import { DefinitionError } from '../../../errors/errors.ts';
import type { TreeLimits } from './document-limits.ts';
import { loadYaml, YamlMistake } from './load-yaml.ts';
import type { DocumentText } from './load-yaml.ts';
import { measureJson, measureTree } from './measure-document.ts';

/** A parsed document. It has no cycles and respects the limits. */
export interface ParsedDocument {
  readonly value: unknown;
  /** Number of values; those repeated by YAML aliases count each time. */
  readonly nodes: number;
  /** Notes about tolerated errors. */
  readonly notes: readonly string[];
}

/** Parses JSON, or else YAML. Rejects documents that contain themselves, are too deep or have too many values. */
export function parseDocument(document: DocumentText, limits: TreeLimits): ParsedDocument {
  const { name } = document;
  const text = document.text.charCodeAt(0) === BYTE_ORDER_MARK ? document.text.slice(1) : document.text;
  const first = text.charCodeAt(text.search(/\S/));
  if (Number.isNaN(first)) throw new DefinitionError(`${name} is empty.`);
  if (/^\s*<[!?A-Za-z]/.test(text)) {
    throw new DefinitionError(
      `${name} is a page of HTML or XML, not JSON or YAML. If it is the documentation of an API, look there for the URL of its OpenAPI document.`,
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

/** JavaScript engines report position, token or both. Their messages quote the document, so they are not shown. */
function describeJsonMistake(message: string, text: string): string {
  const position = Number(/at position (\d{1,10})/.exec(message)?.[1] ?? Number.NaN);
  const found = /token '?(\S)/.exec(message)?.[1] ?? text[position];
  const what = found === undefined ? 'it ends too early' : `unexpected ${JSON.stringify(found)}`;
  if (found === undefined) return what;
  if (Number.isNaN(position)) return what;
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  return `${what} in line ${line}, column ${before.length - before.lastIndexOf('\n')}`;
}

function readYaml(document: DocumentText, limits: TreeLimits, jsonMistake?: string): ParsedDocument {
  const { name } = document;
  const notes: string[] = [];
  if (jsonMistake !== undefined)
    notes.push(`${name} is not valid JSON (${jsonMistake}); it was read as YAML.`);
  let documents: readonly unknown[];
  try {
    documents = loadYaml(document, { limits });
  } catch (error) {
    if (!(error instanceof YamlMistake) || !error.isRepeatedKey) throw toError(document, error, jsonMistake);
    try {
      documents = loadYaml(document, { limits, mayRepeatKeys: true });
    } catch (other) {
      throw toError(document, other, jsonMistake);
    }
    notes.push(`${positionOf(name, error)}: duplicate key; the last one is used, here and elsewhere.`);
  }
  const [value, ...others] = documents;
  if (value === undefined || value === null) throw new DefinitionError(`${name} is empty.`);
  if (others.some((other) => other !== null && other !== undefined))
    notes.push(`${name} has ${documents.length} YAML documents (separated by ---); only the first is read.`);
  const { nodes } = measureTree(name, value, limits);
  return { value, nodes, notes };
}

function toError({ name, text }: DocumentText, error: unknown, jsonMistake: string | undefined): unknown {
  if (!(error instanceof YamlMistake)) return error;
  const what = `${positionOf(name, error)}: ${error.message}${excerptOf(text, error)}`;
  if (jsonMistake === undefined) return new DefinitionError(`${what}.`);
  return new DefinitionError(
    `${name} is not valid JSON (${jsonMistake}), and not valid YAML either: ${what}.`,
  );
}

/** Some errors have no position. */
function positionOf(name: string, { mark }: YamlMistake): string {
  return mark === undefined ? name : `${name}, line ${mark.line + 1}, column ${mark.column + 1}`;
}

const EXCERPT = 60;

function excerptOf(text: string, { mark }: YamlMistake): string {
  if (mark === undefined) return '';
  const from = mark.position - Math.min(mark.column, EXCERPT / 2);
  const [line = ''] = text.slice(from, from + EXCERPT).split(/[\r\n]/);
  const shown = line.trim();
  return shown === '' ? '' : `, at ${JSON.stringify(shown)}`;
}
