import { fromBase64 } from '../../base/json/base64.ts';
import type { HeaderArgument } from '../../schema/convert/header-arguments.ts';
import type { RpcError, RpcRequest } from '../messages/json-rpc.ts';
import { headerMismatch } from '../messages/rpc-errors.ts';
import type { RequestHeaders } from './exchange.ts';

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Checks that the headers of a request of 2026-07-28 match its body: proxies route by the headers, the server uses the body. */
// defence: headers-of-a-message
export function checkHeaders(request: RpcRequest, headers: RequestHeaders): RpcError | undefined {
  const method = headers.header('mcp-method');
  if (method === undefined) return headerMismatch('Header mismatch: the header Mcp-Method is missing.');
  // Unlike other headers, `Mcp-Method` has no encoded form: method names are plain ASCII.
  if (method !== request.method)
    return headerMismatch('Header mismatch: the header Mcp-Method differs from the method of the body.');
  const parameter = NAMED.get(request.method);
  const value = parameter === undefined ? undefined : request.params?.[parameter];
  if (parameter === undefined || typeof value !== 'string') return undefined;
  const name = headers.header('mcp-name');
  if (name === undefined) return headerMismatch('Header mismatch: the header Mcp-Name is missing.');
  if (decodeHeader(name) === value && !isInParts(headers, 'mcp-name', name)) return undefined;
  return headerMismatch(`Header mismatch: the header Mcp-Name differs from params.${parameter} of the body.`);
}

/** Checks that argument headers match the arguments. */
// defence: headers-of-arguments
export function checkArgumentHeaders(
  headers: RequestHeaders,
  expected: readonly HeaderArgument[],
  args: unknown,
): RpcError | undefined {
  for (const argument of expected) {
    const header = headers.header(argument.header);
    const problem =
      header !== undefined && isInParts(headers, argument.header, header)
        ? 'is repeated, which differs from'
        : compare(argument, valueAt(args, argument.path), header);
    if (problem !== undefined) {
      const where = `the header ${argument.header} ${problem} the argument "${argument.path.join('.')}"`;
      return headerMismatch(`Header mismatch: ${where}.`);
    }
  }
  return undefined;
}

/** Whether a value was joined from several headers: a proxy may have read only one of them. */
// defence: headers-in-parts
function isInParts(headers: RequestHeaders, name: string, value: string): boolean {
  return value.includes(',') && headers.isRepeated(name);
}

function compare({ type }: HeaderArgument, value: unknown, header: string | undefined): string | undefined {
  const isGiven = value !== undefined && value !== null;
  if (header === undefined) return isGiven ? 'is missing, but the body has' : undefined;
  if (!isGiven) return 'is present, but the body lacks';
  const said = decodeHeader(header);
  const isSame =
    type === 'integer' && typeof value === 'number'
      ? said !== undefined && WHOLE.test(said) && Number(said) === value && Number.isSafeInteger(value)
      : (typeof value === 'string' || typeof value === 'boolean') && said === String(value);
  return isSame ? undefined : 'differs from';
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Integers in plain notation: a proxy may not treat others, such as `0x2a`, as numbers, and other fractions could be rounded away. */
// defence: exact-numbers
const WHOLE = /^-?\d+(?:\.0+)?$/;

/** Characters that need no encoding in a header: visible ASCII, spaces and tabs. */
const PLAIN = /^[\t\u0020-\u007e]*$/;

/** A byte order mark is kept as a character. */
// defence: byte-order-marks
const EXACT = { fatal: true, ignoreBOM: true } as const;

const ENCODED = /^=\?base64\?(?<text>.*)\?=$/;

/** Decodes a header; undefined if it has invalid characters or an invalid encoding. */
export function decodeHeader(header: string): string | undefined {
  if (!PLAIN.test(header)) return undefined;
  if (!header.startsWith('=?')) return header;
  const { text } = ENCODED.exec(header)?.groups ?? {};
  if (text === undefined) return header;
  const bytes = fromBase64(text);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', EXACT).decode(bytes);
  } catch {
    return undefined;
  }
}
