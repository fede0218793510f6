import { isDeepStrictEqual } from 'node:util';
import { asTexts } from './server-parameters.ts';
import type { ServerParameter } from './decode-parameter.ts';
import { decodeParameter, matchTemplate, pathOf, queryOf } from './decode-parameter.ts';
import { readFormFields } from './read-request.ts';
import type { ServerOperation } from './read-document.ts';
import { headerOf } from './recording-server.ts';
import type { RecordedRequest } from './recording-server.ts';

/** A parsed request. */
export interface ReadRequest {
  /** Whole values. */
  readonly values: ReadonlySet<string>;
  /** Strings that may contain values. */
  readonly texts: readonly string[];
  /** The body, if it is JSON or a form. */
  readonly members: Readonly<Record<string, unknown>> | undefined;
}

/** Parses a request in every way that servers do: everything encoded is decoded. */
export async function readRequest(request: RecordedRequest): Promise<ReadRequest> {
  const path = pathOf(request).split('/').map(decode);
  const query = [...new URLSearchParams(queryOf(request))].flat();
  const headers = request.headers.map(([, value]) => value);
  const cookies = (headerOf(request, 'cookie') ?? '').split(/; |=/).map(decode);
  const { texts: inBody, members } = await readBody(request);
  const texts = [...path, ...query, ...headers, ...cookies, ...inBody];
  const values = new Set([
    ...texts,
    ...texts.flatMap((text) => text.split(/[,|;.=\t ]/)),
    ...texts.flatMap(leavesOfJson),
  ]);
  return { values, texts, members };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function readBody(request: RecordedRequest): Promise<{
  readonly texts: readonly string[];
  readonly members?: Readonly<Record<string, unknown>>;
}> {
  const type = headerOf(request, 'content-type') ?? '';
  const raw = [request.body.toString(), request.body.toString('base64')];
  if (type.startsWith('application/x-www-form-urlencoded')) {
    const fields = new URLSearchParams(request.body.toString());
    return { texts: [...fields].flat(), members: Object.fromEntries(fields) };
  }
  if (type.startsWith('multipart/form-data')) {
    const fields = await readFormFields(request).catch(() => []);
    const texts = fields.flatMap(([name, value]) =>
      typeof value === 'string' ? [name, value] : [name, value.base64],
    );
    return { texts, members: Object.fromEntries(fields) };
  }
  const parsed = parseJson(request.body.toString());
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return { texts: raw, ...(isObject ? { members: parsed as Record<string, unknown> } : {}) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function leavesOfJson(text: string): readonly string[] {
  return /^\s*["[{]/.test(text) ? leavesOf(parseJson(text)).map(({ text: leaf }) => leaf) : [];
}

/** A value in a structure, as text. */
export interface Leaf {
  readonly path: string;
  readonly text: string;
}

/** All values of a structure that are not structures themselves. */
export function leavesOf(value: unknown, path = ''): readonly Leaf[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [{ path, text: toText(value) }];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, `${path}/${key}`));
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The problem of a request for an operation, or undefined. */
export async function judgeRequest(
  request: RecordedRequest,
  { operation, base, args }: { operation: ServerOperation; base: string; args: object },
): Promise<readonly string[]> {
  const { key, method, template, parameters, body } = operation;
  const problems: string[] = [];
  const filled = matchTemplate(base + template, pathOf(request));
  if (request.method !== method || filled === undefined)
    problems.push(`${request.method} ${request.target} is not ${key}`);
  for (const [name, value] of filled ?? [])
    if (decode(value) === `{${name}}`) problems.push(`{${name}} is not filled in`);
  const read = await readRequest(request);
  for (const { path, text } of leavesOf(args))
    if (!isThere(text, read)) problems.push(`${path} = ${JSON.stringify(text)} did not arrive`);
  for (const parameter of parameters) {
    const given = (args as Readonly<Record<string, unknown>>)[parameter.name];
    const decoded = decodeSafely(parameter, request, base + template);
    if (decoded === undefined && (parameter.required || !isEmpty(given)))
      problems.push(`the ${parameter.in} parameter ${parameter.name} did not arrive`);
    const isOnly = parameters.filter(({ name }) => name === parameter.name).length === 1;
    if (
      decoded !== undefined &&
      isOnly &&
      isPlain(given, parameter) &&
      !isDeepStrictEqual(decoded, asTexts(withoutEmpty(given)))
    )
      problems.push(`the ${parameter.in} parameter ${parameter.name} is ${JSON.stringify(decoded)}`);
  }
  if (body?.required === true && request.body.length === 0) problems.push('there is no body');
  if (body !== undefined && request.body.length > 0) {
    const type = headerOf(request, 'content-type') ?? '';
    if (!body.mediaTypes.some((each) => fits(type, each))) problems.push(`the body is ${type}`);
    for (const name of body.needs)
      if (
        read.members !== undefined &&
        !Object.keys(read.members).some((key) => key === name || key.startsWith(`${name}[`))
      )
        problems.push(`the body has no ${name}`);
  }
  if (read.values.has('undefined')) problems.push('something is undefined');
  for (const text of read.texts)
    if (text.includes('[object ')) problems.push(`${JSON.stringify(text)} is no value`);
  return problems;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Empty structures cannot be written in a query. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.filter((each) => !isEmpty(each)).map(withoutEmpty);
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

/** Whether a value has the shape that the document describes, and can be written in its style. */
function isPlain(value: unknown, { shape, style, isJson }: ServerParameter): boolean {
  if (isEmpty(value) || isJson) return false;
  if (typeof value !== 'object') return shape === 'value';
  if (shape !== (Array.isArray(value) ? 'list' : 'object')) return false;
  const members: readonly unknown[] = Object.values(value as object);
  return members.every((member) => member !== null && (style === 'deepObject' || typeof member !== 'object'));
}

function decodeSafely(
  parameter: ServerOperation['parameters'][number],
  request: RecordedRequest,
  template: string,
): unknown {
  try {
    return decodeParameter(parameter, request, template);
  } catch {
    return undefined;
  }
}

/** Short strings occur nearly everywhere. */
function isThere(text: string, { values, texts }: ReadRequest): boolean {
  if (text === '' || values.has(text)) return true;
  return text.length > 3 && texts.some((each) => each.includes(text));
}

/** Whether a media type matches one of the document, which may be a range. */
function fits(type: string, named: string): boolean {
  const essence = (text: string): string => (text.split(';')[0] ?? '').trim().toLowerCase();
  const [range, own] = [essence(named), essence(type)];
  if (!range.includes('/') || range === '*/*') return true;
  return range.endsWith('/*') ? own.startsWith(range.slice(0, -1)) : own === range;
}
