import { MAX_ID_LENGTH } from './json-rpc.ts';
import type { RequestId } from './json-rpc.ts';
import { afterSpace, endOfString } from './scan-json.ts';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** A character of an id has at most six bytes, as an escape; plus two quotes. */
const MAX_WRITTEN = MAX_ID_LENGTH * 6 + 2;

/**
 * Finds the id of a request that is rejected before it is parsed, so that the client gets the error. Undefined if it is ambiguous: in a
 * batch, without a method, in a response, with two ids, or if text follows the message.
 */
export function findRequestId(bytes: Uint8Array): RequestId | undefined {
  let depth = 0;
  let isRequest = false;
  let written: string | undefined;
  for (let index = afterSpace(bytes, 0); index < bytes.length; index += 1) {
    switch (bytes[index] ?? 0) {
      case QUOTE: {
        const end = endOfString(bytes, index);
        const colon = afterSpace(bytes, end + 1);
        if (depth === 1 && bytes[colon] === COLON) {
          const key = decode(bytes, index, end + 1);
          if (key === 'result' || key === 'error') return undefined;
          if (key === 'method') isRequest = true;
          if (key === 'id') {
            if (written !== undefined) return undefined;
            written = scalarAt(bytes, afterSpace(bytes, colon + 1));
          }
        }
        index = end;
        break;
      }
      case OPEN_BRACKET:
        if (depth === 0) return undefined;
        depth += 1;
        break;
      case OPEN_BRACE:
        depth += 1;
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth -= 1;
        if (depth === 0)
          return isRequest && afterSpace(bytes, index + 1) === bytes.length ? toId(written) : undefined;
        break;
      default:
    }
  }
  return undefined;
}

/** A string or number as written; empty for any other value, and if it is too long. */
function scalarAt(bytes: Uint8Array, start: number): string {
  let end = bytes[start] === QUOTE ? endOfString(bytes, start) + 1 : start;
  while (
    end < bytes.length &&
    end - start <= MAX_WRITTEN &&
    bytes[end] !== COMMA &&
    bytes[end] !== CLOSE_BRACE
  )
    end += 1;
  return end - start > MAX_WRITTEN ? '' : new TextDecoder().decode(bytes.subarray(start, end));
}

function toId(written: string | undefined): RequestId | undefined {
  const id = parse(written ?? '');
  return isId(id) ? id : undefined;
}

/** Decodes a key, which may contain escapes. Empty if it is longer than the keys that are searched. */
function decode(bytes: Uint8Array, start: number, end: number): unknown {
  return end - start > 64 ? '' : parse(new TextDecoder().decode(bytes.subarray(start, end)));
}

function parse(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

/** Whether the value is a valid request id. */
export function isId(id: unknown): id is RequestId {
  return typeof id === 'string' ? id.length <= MAX_ID_LENGTH : Number.isSafeInteger(id);
}
