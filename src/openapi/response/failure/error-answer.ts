import { STATUS_CODES } from 'node:http';
import type { McpCallToolResult } from '../../../model/mcp-types.ts';
import { describeLocation } from '../../../outbound/redirects/describe-location.ts';
import type { OutboundAnswer } from '../../../outbound/outbound-client.ts';
import { systemClock, wallTimeOf } from '../../../base/time/clock.ts';
import type { ResponseOptions } from '../model/response-options.ts';
import { toErrorResult } from '../model/result-parts.ts';
import { describeErrorBody } from './error-body.ts';
import { hintFor } from './error-hints.ts';
import { describeWait, readRetryAfter } from './retry-after.ts';

/** `GET /pets/{id} answered 404 Not Found` */
export function describeStatus(what: string, status: number): string {
  const phrase = STATUS_CODES[status];
  return `${what} answered ${status}${phrase === undefined ? '' : ` ${phrase}`}`;
}

/** Converts a response with an error status to an error result. */
export function readErrorAnswer(answer: OutboundAnswer, options: ResponseOptions): McpCallToolResult {
  const { status, headers } = answer;
  const { what, hide = (text) => text, clock = systemClock, credentialSetting } = options;
  const start = describeStatus(what, status);
  if (status < 400 || status > 599) {
    const text = status >= 300 && status < 400 ? describeMove(headers.get('location'), hide) : NO_ANSWER;
    return toErrorResult(`${start}: ${text}`, { code: 'UPSTREAM_FAILED' });
  }
  const isWorthWaiting = isBusy(answer);
  const waitMs = isWorthWaiting ? readRetryAfter(headers, wallTimeOf(clock)) : undefined;
  const said = describeErrorBody(answer, hide);
  // The credentials are valid, but the rate limit is exceeded.
  const hint = hintFor(status === 403 && isWorthWaiting ? 429 : status, {
    credentialSetting,
    scheme: /^[A-Za-z][\w-]{0,30}/.exec(headers.get('www-authenticate') ?? '')?.[0],
    wait: waitMs === undefined ? undefined : describeWait(waitMs),
  });
  return toErrorResult([said === '' ? `${start}.` : `${start}: ${said}`, hint].join('\n'), {
    code: status >= 500 ? 'UPSTREAM_FAILED' : 'TOOL_ERROR',
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  });
}

const NO_ANSWER = 'that is not a final response.';

/** Some APIs use 403 for an exceeded rate limit. */
function isBusy({ status, headers }: OutboundAnswer): boolean {
  if (status === 403)
    return headers.has('retry-after') || headers.get('x-ratelimit-remaining')?.trim() === '0';
  return status === 429 || status >= 500 || (status === 413 && headers.has('retry-after'));
}

function describeMove(location: string | undefined, hide: (text: string) => string): string {
  const to = location === undefined ? '' : ` to ${describeLocation(location, hide)}`;
  return `it has moved${to}. Only redirects of GET and HEAD within the origin of the API are followed, none with "redirects: false"; correct the base URL of the API.`;
}
