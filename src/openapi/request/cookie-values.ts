import { percentEncode, percentEncodeExcept } from '../../outbound/percent-encode.ts';
import { writeContent } from './values/content-values.ts';
import { isNothing, refuseArgument } from './values/argument-values.ts';
import type { PlannedParameter } from './request-plan.ts';
import { joinPairs, writePairs } from './values/write-pairs.ts';
import type { Pair, PairStyle } from './values/write-pairs.ts';

/** A cookie parameter with its value. */
export interface GivenCookie {
  readonly planned: PlannedParameter;
  readonly value: unknown;
}

/** Characters that RFC 6265 allows in a name. */
const KEPT_IN_NAME = "!#$%&'*+^`|";
/** Reserved characters that are allowed in a value: no comma, no semicolon. */
const KEPT_IN_VALUE = ":/?#[]@!$&'()*+=";

/**
 * The value of one `cookie` header, `a=1; b=2`. With `explode`, an array is a cookie for each item and an object one for each member:
 * joined with the `&` of forms, they would be one cookie, as later editions of OpenAPI say as well.
 */
export function writeCookies(cookies: readonly GivenCookie[]): string {
  return joinPairs(
    cookies.flatMap(({ planned, value }) => writeCookie(planned, value)),
    '; ',
  );
}

function writeCookie({ argument, parameter }: PlannedParameter, value: unknown): Pair[] {
  if (isNothing(value)) return [];
  const { name, style, explode, allowReserved, contentType } = parameter;
  if (contentType !== undefined) return [[encodeName(name), percentEncode(writeContent(contentType, value))]];
  const encode = allowReserved ? (text: string) => percentEncodeExcept(text, KEPT_IN_VALUE) : percentEncode;
  const asForm: PairStyle = { style: 'form', explode, encodeName, encode, encodeItem: encode };
  if (style !== 'cookie') return writePairs(name, value, asForm);
  const asIs = (text: string): string => assertPlain(text, argument);
  return writePairs(name, value, { ...asForm, encode: asIs, encodeItem: asIs });
}

function encodeName(name: string): string {
  return percentEncodeExcept(name, KEPT_IN_NAME);
}

/** The style `cookie` does not encode, so the value must need no encoding. */
function assertPlain(text: string, argument: string): string {
  if (/^[\u0020-\u003A\u003C-\u007E]*$/.test(text)) return text;
  throw refuseArgument(
    argument,
    'cannot be sent in a cookie: it has a semicolon, a control character or a non-ASCII character. Percent-encode the value; a semicolon is %3B',
  );
}
