import { weighShortJson } from '../../base/memory/weigh.ts';
import type { RpcParams, RpcRequest } from './json-rpc.ts';
import type { JsonLimits } from './scan-json.ts';

const METHOD = '"method":"tools/call","params":';
const VERSION = '"jsonrpc":"2.0","id":';

/** How the SDKs for Go and Rust begin, and most of what is written by hand. */
const ID_FIRST = `{${VERSION}`;
const THEN_METHOD = `,${METHOD}`;

/** How the official SDKs for TypeScript and Python begin. */
const METHOD_FIRST = `{${METHOD}`;
const THEN_ID = `,${VERSION}`;

/**
 * Reads the call of a tool that is written as clients write it: its members known, each of them once, the id a number. Only what the client
 * chose is parsed. Undefined for everything else and wherever there is a doubt: that has to be looked over and parsed as a whole, which
 * takes twice as long. Nothing gets through here that would not get through there.
 */
export function readPlainCall(text: string, limits: JsonLimits): RpcRequest | undefined {
  if (text.startsWith(ID_FIRST)) {
    const afterId = endOfDigits(text, ID_FIRST.length);
    const id = readId(text, ID_FIRST.length, afterId);
    if (id === undefined || !text.startsWith(THEN_METHOD, afterId) || !text.endsWith('}')) return undefined;
    return readParams(text, { id, start: afterId + THEN_METHOD.length, end: text.length - 1 }, limits);
  }
  if (!text.startsWith(METHOD_FIRST) || !text.endsWith('}')) return undefined;
  const idAt = startOfDigits(text, text.length - 1);
  const id = readId(text, idAt, text.length - 1);
  const end = idAt - THEN_ID.length;
  if (id === undefined || !text.startsWith(THEN_ID, end)) return undefined;
  return readParams(text, { id, start: METHOD_FIRST.length, end }, limits);
}

function readParams(
  text: string,
  { id, start, end }: { id: number; start: number; end: number },
  limits: JsonLimits,
): RpcRequest | undefined {
  const written = text.slice(start, end);
  if (!written.startsWith('{')) return undefined;
  // defence: harmless-plain-calls
  if (!isHarmless(written, limits)) return undefined;
  try {
    // What stands around it is known, so this is JSON exactly when the whole text is.
    const params = JSON.parse(written) as RpcParams;
    return { kind: 'request', id, method: 'tools/call', params, weight: weighShortJson(text.length) };
  } catch {
    return undefined;
  }
}

/** What a message has besides its params: a level, and no more values than its members. */
const OUTER_DEPTH = 1;
const OUTER_NODES = 5;

/** Whether `findJsonProblem` would surely find nothing in a message with these params. Stricter, and a fraction of the work. */
function isHarmless(params: string, { maxDepth, maxNodes }: JsonLimits): boolean {
  // Every value takes a character at least. Escapes can spell any key.
  if (params.length + OUTER_NODES > maxNodes || params.includes('\\')) return false;
  if (params.includes('__proto__') || params.includes('constructor')) return false;
  const left = maxDepth - OUTER_DEPTH;
  return countAtMost(params, '{', left) + countAtMost(params, '[', left) <= left;
}

/** How often something stands in a text; whoever has seen more than `max` need not go on. */
function countAtMost(text: string, sought: string, max: number): number {
  let count = 0;
  for (let at = text.indexOf(sought); at !== -1 && count <= max; at = text.indexOf(sought, at + 1))
    count += 1;
  return count;
}

const ZERO = 48;
const NINE = 57;

function endOfDigits(text: string, start: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function startOfDigits(text: string, end: number): number {
  let start = end;
  while (isDigit(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** So many digits are a safe whole number, whatever they are. */
const MAX_DIGITS = 15;

/** A number of nothing but digits, as JSON writes it: without a leading zero. */
function readId(text: string, start: number, end: number): number | undefined {
  const length = end - start;
  if (length < 1 || length > MAX_DIGITS) return undefined;
  let id = 0;
  for (let index = start; index < end; index += 1) id = id * 10 + text.charCodeAt(index) - ZERO;
  return length > 1 && text.charCodeAt(start) === ZERO ? undefined : id;
}
