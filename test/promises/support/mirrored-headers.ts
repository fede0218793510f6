import type { Json } from '../../support/raw-peer.ts';

/** A header that repeats a value of the body. */
export interface Mirrored {
  readonly name: string;
  /** `plain` ones are never encoded. */
  readonly type: 'plain' | 'text' | 'integer' | 'boolean';
  /** The value in the body. */
  readonly value: string;
}

/** A request of 2026-07-28 and all headers that repeat its values. */
export interface MirroredRequest {
  readonly method: string;
  readonly params: Json;
  readonly headers: readonly Mirrored[];
  /** The counter of requests that get through, if there is one. */
  readonly counted?: string;
}

/** The arguments of the tool `route`. */
export interface RouteArguments {
  readonly region: string;
  readonly shard: number;
  readonly dry: boolean;
  readonly tenant: string;
}

function toRequest(method: string, params: Json, headers: readonly Mirrored[] = []): MirroredRequest {
  return {
    method,
    params,
    headers: [
      { name: 'MCP-Protocol-Version', type: 'plain', value: '2026-07-28' },
      { name: 'Mcp-Method', type: 'plain', value: method },
      ...headers,
    ],
  };
}

function named(method: string, params: Json, value: string): MirroredRequest {
  return toRequest(method, params, [{ name: 'Mcp-Name', type: 'text', value }]);
}

/** A call whose arguments are also sent as headers. */
export function routeCall({ region, shard, dry, tenant }: RouteArguments): MirroredRequest {
  const params = { name: 'route', arguments: { region, shard, dry, tenant: { id: tenant } } };
  const request = toRequest('tools/call', params, [
    { name: 'Mcp-Name', type: 'text', value: 'route' },
    { name: 'Mcp-Param-Region', type: 'text', value: region },
    { name: 'Mcp-Param-Shard', type: 'integer', value: String(shard) },
    { name: 'Mcp-Param-Dry', type: 'boolean', value: String(dry) },
    { name: 'Mcp-Param-Tenant', type: 'text', value: tenant },
  ]);
  return { ...request, counted: 'route' };
}

/** One request of every kind that has such headers. */
export function requestsWith(args: RouteArguments): readonly MirroredRequest[] {
  return [
    routeCall(args),
    { ...named('tools/call', { name: 'echo', arguments: { text: args.region } }, 'echo'), counted: 'echo' },
    { ...named('prompts/get', { name: 'greet' }, 'greet'), counted: 'greet' },
    { ...named('resources/read', { uri: 'docs://rules' }, 'docs://rules'), counted: 'rules' },
    named('tasks/get', { taskId: 'no-such-task' }, 'no-such-task'),
    named('tasks/cancel', { taskId: 'no-such-task' }, 'no-such-task'),
    toRequest('tools/list', {}),
    toRequest('server/discover', {}),
    toRequest('subscriptions/listen', { notifications: { toolsListChanged: true } }),
  ];
}

/** A string in the base64 form of headers. */
export function toBase64Header(text: string | Buffer): string {
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** A value as a client sends it: encoded where necessary. */
export function toHeader({ type, value }: Mirrored): string {
  const isPlain = /^[\t -~]*$/.test(value) && value.trim() === value && !/^=\?base64\?.*\?=$/.test(value);
  return type === 'plain' || isPlain ? value : toBase64Header(value);
}

/** A kind of disagreement: the header lines that contradict the body; undefined if it does not apply. */
export type Disagreement = (header: Mirrored, salt: string) => readonly string[] | undefined;

const isEncodable = ({ type }: Mirrored): boolean => type === 'text';
const isAscii = ({ value }: Mirrored): boolean => /^[!-~]+$/.test(value);

/** Another value of the same type. */
function otherThan({ type, value }: Mirrored, salt: string): string {
  if (type === 'integer') return String(Number(value) - 1);
  if (type === 'boolean') return value === 'true' ? 'false' : 'true';
  return `${value.replaceAll(/[^!-~]/g, '')}${salt}x`;
}

/** Base64 with a changed last character whose bits are unused; undefined if every bit counts. */
function withLooseBits(text: string): string | undefined {
  const base64 = Buffer.from(text).toString('base64');
  const end = base64.indexOf('=');
  if (end < 1) return undefined;
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const last = alphabet[alphabet.indexOf(base64[end - 1] ?? '') + 1];
  return `=?base64?${base64.slice(0, end - 1)}${last}${base64.slice(end)}?=`;
}

const base64Of = ({ value }: Mirrored): string => Buffer.from(value).toString('base64');

/** By their names. */
export const DISAGREEMENTS: Readonly<Record<string, Disagreement>> = {
  missing: () => [],
  empty: ({ value }) => (value === '' ? undefined : ['']),
  'another value': (header, salt) => [otherThan(header, salt)],
  'another value, encoded': (header, salt) =>
    header.type === 'plain' ? undefined : [toBase64Header(otherThan(header, salt))],
  'other letters': (header) => {
    const { value } = header;
    const other = value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
    return isAscii(header) && other !== value ? [other] : undefined;
  },
  'other letters, encoded': (header) =>
    isEncodable(header) && header.value !== header.value.toUpperCase()
      ? [toBase64Header(header.value.toUpperCase())]
      : undefined,
  'a part of it': (header) =>
    isAscii(header) && header.value.length > 1 && header.type !== 'integer'
      ? [header.value.slice(0, -1)]
      : undefined,
  'a space in it': (header) =>
    isAscii(header) && header.value.length > 1
      ? [`${header.value.slice(0, 1)} ${header.value.slice(1)}`]
      : undefined,
  'a space around it, encoded': (header) =>
    isEncodable(header) ? [toBase64Header(` ${header.value}`)] : undefined,
  'in quotes': (header) => [`"${toHeader(header)}"`],
  'in percent signs': (header) =>
    isAscii(header)
      ? [`%${header.value.charCodeAt(0).toString(16)}${header.value.slice(1)}`]
      : [encodeURIComponent(header.value)],
  'not ASCII': (header) => [`${toHeader(header)}\u00e9`],
  // From a client that does not encode: the raw bytes of UTF-8.
  'not encoded': (header) =>
    /[^\t -~]/.test(header.value) && !/[\r\n\0]/.test(header.value)
      ? [Buffer.from(header.value).toString('latin1')]
      : undefined,
  'a list of itself': (header) => [`${toHeader(header)}, ${toHeader(header)}`],
  twice: (header) => [toHeader(header), toHeader(header)],
  'the right one first': (header, salt) => [toHeader(header), otherThan(header, salt)],
  'the right one last': (header, salt) => [otherThan(header, salt), toHeader(header)],
  // Joined with a comma it would be the same value; a parser of a single line reads another one.
  'in two lines': ({ value }) => (/^[!-~]+, [!-~]+$/.test(value) ? value.split(', ') : undefined),
  'encoded though it never is': (header) =>
    header.type === 'plain' ? [toBase64Header(header.value)] : undefined,
  'base64 without its padding': (header) =>
    isEncodable(header) && base64Of(header).includes('=')
      ? [`=?base64?${base64Of(header).replaceAll('=', '')}?=`]
      : undefined,
  'base64 with loose bits': (header) => {
    const loose = isEncodable(header) ? withLooseBits(header.value) : undefined;
    return loose === undefined ? undefined : [loose];
  },
  'base64 with spaces': (header) =>
    isEncodable(header)
      ? [`=?base64?${base64Of(header).slice(0, 2)} ${base64Of(header).slice(2)}?=`]
      : undefined,
  'base64 of a URL': (header) =>
    isEncodable(header) && /[+/]/.test(base64Of(header))
      ? [`=?base64?${Buffer.from(header.value).toString('base64url')}?=`]
      : undefined,
  'base64 of something that is no UTF-8': (header) =>
    isEncodable(header)
      ? [toBase64Header(Buffer.concat([Buffer.from(header.value), Buffer.from([0xff])]))]
      : undefined,
  'base64 of a byte order mark and it': (header) =>
    isEncodable(header) ? [toBase64Header(`\uFEFF${header.value}`)] : undefined,
  'base64 of base64': (header) =>
    isEncodable(header) ? [toBase64Header(toBase64Header(header.value))] : undefined,
  'base64 in large letters': (header) =>
    isEncodable(header) ? [`=?BASE64?${base64Of(header)}?=`] : undefined,
  'base64 without its end': (header) => (isEncodable(header) ? [`=?base64?${base64Of(header)}`] : undefined),
  'base64 of e-mail': (header) => (isEncodable(header) ? [`=?utf-8?B?${base64Of(header)}?=`] : undefined),
  'a number with a sign': ({ type, value }) => (type === 'integer' ? [`+${value}`] : undefined),
  'a number with an exponent': ({ type, value }) => (type === 'integer' ? [`${value}e0`] : undefined),
  'a number in hexadecimal': ({ type, value }) =>
    type === 'integer' && !value.startsWith('-') ? [`0x${Number(value).toString(16)}`] : undefined,
  'a number and a half': ({ type, value }) => (type === 'integer' ? [`${value}.5`] : undefined),
  // Another number, but equal after rounding.
  'a number and next to nothing': ({ type, value }) =>
    type === 'integer' ? [`${value}.00000000000000000001`] : undefined,
  'another word for a truth': ({ type, value }) =>
    type === 'boolean' ? [value === 'true' ? '1' : '0'] : undefined,
};
