import { parse as parseQuery } from 'node:querystring';
import { headerOf } from './recording-server.ts';
import type { RecordedRequest } from './recording-server.ts';

/** The parts of a parameter that a server needs to parse it. */
export interface ServerParameter {
  readonly name: string;
  readonly in: string;
  readonly style: string;
  readonly explode: boolean;
  readonly shape: 'value' | 'list' | 'object';
  /** For objects that are spread over the query. */
  readonly members: readonly string[];
  readonly isJson: boolean;
}

/**
 * Parses a parameter from a request as a server does, by the rules of its style; strings stay strings. Undefined if it did not arrive. This
 * code is independent of the code that writes requests.
 */
export function decodeParameter(
  parameter: ServerParameter,
  request: RecordedRequest,
  template: string,
): unknown {
  switch (parameter.in) {
    case 'path':
      return decodeInPath(parameter, pathOf(request), template);
    case 'query':
      return decodeInQuery(parameter, queryOf(request));
    case 'querystring':
      return { ...parseQuery(queryOf(request)) };
    case 'header':
      return decodeInHeader(parameter, headerOf(request, parameter.name));
    case 'cookie':
      return decodeInCookie(parameter, headerOf(request, 'cookie'));
    default:
      throw new Error(`no server reads ${parameter.in}`);
  }
}

export function pathOf({ target }: RecordedRequest): string {
  return target.split('?')[0] ?? '';
}

export function queryOf({ target }: RecordedRequest): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start + 1);
}

/** A path matched against a template such as `/pets/{id}`: the raw values by name; undefined if it is another path. */
export function matchTemplate(template: string, path: string): ReadonlyMap<string, string> | undefined {
  const names: string[] = [];
  const pattern = template
    .split(/(\{[^{}]*\})/)
    .map((piece, index) => {
      if (index % 2 === 0) return Array.from(piece).map(toPattern).join('');
      names.push(piece.slice(1, -1));
      return '([^/]+)';
    })
    .join('');
  const match = new RegExp(`^${pattern}$`).exec(path);
  return match === null ? undefined : new Map(names.map((name, index) => [name, match[index + 1] ?? '']));
}

/** A character of a template, encoded or not. */
function toPattern(character: string): string {
  const plain = character.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  const encoded = encodeURIComponent(character);
  return encoded === character ? plain : `(?:${plain}|${encoded})`;
}

function decodeInPath(
  { name, style, explode, shape, isJson }: ServerParameter,
  path: string,
  template: string,
): unknown {
  const raw = matchTemplate(template, path)?.get(name);
  if (raw === undefined) return undefined;
  if (isJson) return JSON.parse(decodeURIComponent(raw));
  const prefix = style === 'label' ? '.' : style === 'matrix' ? ';' : '';
  if (!raw.startsWith(prefix)) return undefined;
  const text = raw.slice(prefix.length);
  const separator = explode && prefix !== '' ? prefix : delimiterOf(style);
  if (style !== 'matrix') return decodeText(text, { shape, explode, separator });
  if (explode && shape === 'object') return decodeText(text, { shape, explode, separator });
  const start = `${encodeURIComponent(name)}=`;
  const values = (explode ? text.split(';') : [text]).map((part) =>
    part.startsWith(start) ? part.slice(start.length) : '',
  );
  return explode && shape === 'list'
    ? values.map(decodeURIComponent)
    : decodeText(values[0] ?? '', { shape, explode, separator: ',' });
}

function delimiterOf(style: string): string {
  const delimiters: Record<string, string> = {
    spaceDelimited: '%20',
    pipeDelimited: '%7C',
    tabDelimited: '%09',
  };
  return delimiters[style] ?? ',';
}

interface TextStyle {
  readonly shape: ServerParameter['shape'];
  readonly explode: boolean;
  readonly separator: string;
}

/** `a,b`, `a,1,b,2` or `a=1,b=2`, with encoded values. */
function decodeText(
  text: string,
  { shape, explode, separator }: TextStyle,
  decode = decodeURIComponent,
): unknown {
  if (shape === 'value') return decode(text);
  const items = text.split(separator);
  if (shape === 'list') return items.map((item) => decode(item));
  if (explode) {
    return Object.fromEntries(
      items.map((item) => {
        const equals = item.indexOf('=');
        return [decode(item.slice(0, equals)), decode(item.slice(equals + 1))];
      }),
    );
  }
  return toObject(items.map((item) => decode(item)));
}

/** From alternating names and values. */
function toObject(items: readonly string[]): object {
  return Object.fromEntries(
    items.flatMap((item, index) => (index % 2 === 0 ? [[item, items[index + 1] ?? '']] : [])),
  );
}

type Pair = readonly [name: string, raw: string];

function decodeInQuery(parameter: ServerParameter, query: string): unknown {
  const pairs = query.split('&').map((text): Pair => {
    const equals = text.indexOf('=');
    return equals === -1
      ? [decodePlus(text), '']
      : [decodePlus(text.slice(0, equals)), text.slice(equals + 1)];
  });
  return decodePairs(parameter, pairs, decodePlus);
}

function decodePlus(text: string): string {
  return decodeURIComponent(text.replaceAll('+', '%20'));
}

function decodePairs(
  parameter: ServerParameter,
  pairs: readonly Pair[],
  decode: (text: string) => string,
): unknown {
  const { name, style, explode, shape, members, isJson } = parameter;
  const own = pairs.filter(([key]) => key === name).map(([, raw]) => raw);
  const [first] = own;
  if (isJson) return first === undefined ? undefined : JSON.parse(decode(first));
  // A value that is not an object has no depth.
  if (style === 'deepObject' && first === undefined)
    return decodeDeep(
      name,
      pairs.map(([key, raw]) => [key, decode(raw)]),
    );
  if (shape === 'object' && explode)
    return orNothing(
      pairs.filter(([key]) => members.includes(key)).map(([key, raw]) => [key, decode(raw)] as const),
    );
  if (first === undefined) return undefined;
  if (shape === 'list' && explode) return own.map(decode);
  return decodeText(first, { shape, explode: false, separator: delimiterOf(style) }, decode);
}

function orNothing(entries: readonly Pair[]): object | undefined {
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** `a[b][0][c]=1`. */
function decodeDeep(name: string, pairs: readonly Pair[]): unknown {
  const root = new Map<string, unknown>();
  for (const [key, value] of pairs) {
    if (!key.startsWith(`${name}[`)) continue;
    const steps = [...key.slice(name.length).matchAll(/\[([^\]]*)\]/g)].map(([, step = '']) => step);
    let place = root;
    for (const step of steps.slice(0, -1)) {
      const next = place.get(step) ?? new Map<string, unknown>();
      place.set(step, next);
      place = next as Map<string, unknown>;
    }
    place.set(steps.at(-1) ?? '', value);
  }
  return root.size === 0 ? undefined : toPlain(root);
}

function toPlain(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const keys = [...value.keys()] as string[];
  const values = [...value.values()].map(toPlain);
  const isList = keys.every((key, index) => key === String(index));
  return isList ? values : Object.fromEntries(keys.map((key, index) => [key, values[index]]));
}

function decodeInHeader(
  { style, explode, shape, isJson }: ServerParameter,
  value: string | undefined,
): unknown {
  if (value === undefined) return undefined;
  if (isJson) return JSON.parse(value);
  const separator = decodeURIComponent(delimiterOf(style));
  return decodeText(value, { shape, explode, separator }, (text) => text);
}

function decodeInCookie(parameter: ServerParameter, header: string | undefined): unknown {
  if (header === undefined) return undefined;
  const pairs = header.split('; ').map((text): Pair => {
    const equals = text.indexOf('=');
    return [text.slice(0, equals), text.slice(equals + 1)];
  });
  const decode = parameter.style === 'cookie' ? (text: string) => text : decodeURIComponent;
  return decodePairs(parameter, pairs, decode);
}
