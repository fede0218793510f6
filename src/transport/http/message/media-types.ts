import type { HttpRequest } from './http-message.ts';

/** Content type of nearly all clients. */
const COMMON_BODY = 'application/json';
const COMMON_ACCEPT = 'application/json, text/event-stream';

/** Whether the content type is JSON: browsers send some other types across origins without a preflight. */
// defence: media-type
export function isJsonBody(request: HttpRequest): boolean {
  const type = request.header('content-type') ?? '';
  if (type === COMMON_BODY) return true;
  const end = type.indexOf(';');
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase() === 'application/json';
}

/** Whether the client accepts both media types, as every revision requires. */
export function acceptsBoth(request: HttpRequest): boolean {
  if (request.header('accept') === COMMON_ACCEPT) return true;
  return accepts(request, 'application/json') && accepts(request, 'text/event-stream');
}

/** Whether the client accepts this media type. A request without `Accept` accepts any. */
export function accepts(request: HttpRequest, type: 'application/json' | 'text/event-stream'): boolean {
  const header = request.header('accept');
  if (header === undefined || header === '') return true;
  const wildcard = `${type.slice(0, type.indexOf('/'))}/*`;
  return header
    .toLowerCase()
    .split(',')
    .some((entry) => {
      const end = entry.indexOf(';');
      const name = (end === -1 ? entry : entry.slice(0, end)).trim();
      return name === type || name === '*/*' || name === wildcard;
    });
}
