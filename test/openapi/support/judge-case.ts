import { isDeepStrictEqual } from 'node:util';
import { pathOf, queryOf } from './decode-parameter.ts';
import { readFormFields } from './read-request.ts';
import { headerOf } from './recording-server.ts';
import type { RecordedRequest } from './recording-server.ts';
import { methodOf } from './request-case.ts';
import type { ExpectedPart, RequestCase } from './request-case.ts';

/**
 * Whether a request has the meaning that a case expects, in any spelling: percent-encoded or not where both are equivalent, JSON with or
 * without spaces, parts of a form with any file name.
 */
export async function meansTheSame(
  request: RecordedRequest,
  expected: RequestCase,
  base: string,
): Promise<boolean> {
  const wanted = { ...request, target: base + expected.target };
  return (
    request.method === methodOf(expected).toUpperCase() &&
    isDeepStrictEqual(pathOf(request).split('/').map(decode), pathOf(wanted).split('/').map(decode)) &&
    isDeepStrictEqual(readPairs(queryOf(request)), readPairs(queryOf(wanted))) &&
    Object.entries(expected.headers ?? {}).every(([name, value]) => hasHeader(request, name, value)) &&
    (await hasBody(request, expected))
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Values by name: their order counts only among values of one name. */
function readPairs(query: string): Readonly<Record<string, readonly string[]>> {
  const pairs = new URLSearchParams(query);
  return Object.fromEntries([...new Set(pairs.keys())].map((name) => [name, pairs.getAll(name)]));
}

function hasHeader(request: RecordedRequest, name: string, value: string): boolean {
  const sent = headerOf(request, name);
  if (sent === undefined) return false;
  if (name === 'content-type') return essenceOf(sent) === essenceOf(value);
  if (name === 'cookie') return isDeepStrictEqual(readCookies(sent), readCookies(value));
  const inUtf8 = Buffer.from(sent, 'latin1').toString('utf8');
  return [sent, inUtf8].some(
    (each) => withoutSpaces(each) === withoutSpaces(value) || isSameJson(each, value),
  );
}

function essenceOf(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase();
}

function readCookies(header: string): Readonly<Record<string, readonly string[]>> {
  return readPairs(
    header
      .split('; ')
      .map((pair) => pair.split('=').map(decode).map(encodeURIComponent))
      .map(([name = '', ...value]) => `${name}=${value.join('%3D')}`)
      .join('&'),
  );
}

/** Lists in headers may have spaces after their commas. */
function withoutSpaces(text: string): string {
  return text.replaceAll(/,\s+/g, ',').trim();
}

function isSameJson(one: string, other: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
  } catch {
    return false;
  }
}

async function hasBody(request: RecordedRequest, { body, headers }: RequestCase): Promise<boolean> {
  if (body === undefined) return true;
  if ('base64' in body) return request.body.toString('base64') === body.base64;
  if ('parts' in body) return hasParts(request, body.parts);
  const text = request.body.toString();
  if (text === body.text || isSameJson(text, body.text)) return true;
  const type = headers?.['content-type'] ?? '';
  if (type.includes('ndjson')) return isSameJson(toList(text), toList(body.text));
  return type.includes('urlencoded') && isDeepStrictEqual(readPairs(text), readPairs(body.text));
}

function toList(lines: string): string {
  return `[${lines.trim().split('\n').join(',')}]`;
}

async function hasParts(request: RecordedRequest, parts: readonly ExpectedPart[]): Promise<boolean> {
  const fields = await readFormFields(request).catch(() => []);
  if (fields.length !== parts.length) return false;
  return parts.every(({ name, text = '', file }) => {
    const index = fields.findIndex(([each, value]) => {
      if (each !== name) return false;
      const sent = typeof value === 'string' ? Buffer.from(value) : Buffer.from(value.base64, 'base64');
      if (file !== undefined) return sent.toString('base64') === file.base64;
      return sent.toString() === text || isSameJson(sent.toString(), text);
    });
    // Each occurs once.
    if (index !== -1) fields.splice(index, 1);
    return index !== -1;
  });
}
