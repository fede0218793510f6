import { REDACTED } from '../../../errors/sanitize.ts';
import type { HttpRequest } from './http-message.ts';

/** Headers without credentials. Any other may be the one that a verifier reads: `x-session`, `x-forwarded-access-token`. */
const HARMLESS =
  /^(?:host|:authority|:method|:path|:scheme|user-agent|accept|accept-.*|content-.*|connection|keep-alive|origin|referer|date|via|te|mcp-(?!session-id$).*|sec-.*|traceparent|tracestate|forwarded|x-forwarded-(?:for|host|port|prefix|proto|scheme|server|uri)|x-real-ip|x-request-id|last-event-id)$/;

/** Minimum length of values that are hidden: shorter ones are common words. */
const MIN_LENGTH = 8;

/** Longer texts are cut first. More than the part that is logged, so that no credential is cut in two there. */
const MAX_LENGTH = 30_000;

/** A function that hides the credentials of a request in a text. Errors of verifiers may quote them in words that no pattern of secrets matches. */
export function credentialHider(request: HttpRequest): (text: string) => string {
  const values = credentialsIn(
    request,
    request.headerNames('').filter((name) => !HARMLESS.test(name)),
  );
  return (text) => {
    let hidden = text.slice(0, MAX_LENGTH);
    for (const value of values) hidden = hidden.replaceAll(value, REDACTED);
    return hidden;
  };
}

/** The values of headers and their parts. The longest first: a part of a value must not break up the value. */
export function credentialsIn(request: HttpRequest, names: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const name of names)
    for (const part of partsOf(request.header(name) ?? '')) if (part.length >= MIN_LENGTH) found.add(part);
  return [...found].toSorted((one, other) => other.length - one.length);
}

/** A value, the values of its parameters or cookies, and its words: a token follows a scheme. */
function partsOf(value: string): string[] {
  const members = value.split(/[;,]/).map((member) => member.trim());
  const values = members.map((member) => withoutQuotes(member.slice(member.indexOf('=') + 1)));
  return [value, ...members, ...values, ...value.split(/[\s;,]+/)];
}

function withoutQuotes(value: string): string {
  return value.replaceAll(/^"|"$/g, '');
}
