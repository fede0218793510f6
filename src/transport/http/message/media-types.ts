import type { HttpRequest } from './http-message.ts';

/** What nearly every client sends. */
const COMMON_BODY = 'application/json';
const COMMON_ACCEPT = 'application/json, text/event-stream';

/** Whether the body says that it is JSON, and nothing else: a page may send other types across origins without being asked. */
// defence: media-type
export function isJsonBody(request: HttpRequest): boolean {
  const type = request.header('content-type') ?? '';
  if (type === COMMON_BODY) return true;
  const end = type.indexOf(';');
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase() === 'application/json';
}

/** Whether the client takes answers of both kinds, as every revision wants it to. */
export function acceptsBoth(request: HttpRequest): boolean {
  if (request.header('accept') === COMMON_ACCEPT) return true;
  return accepts(request, 'application/json') && accepts(request, 'text/event-stream');
}

/** Whether the client takes an answer of this type. Who says nothing takes anything. */
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
