import type { HttpRequest } from './http-message.ts';

/** Whether the body says that it is JSON, and nothing else: a page may send other types across origins without being asked. */
export function isJsonBody(request: HttpRequest): boolean {
  const type = request.header('content-type') ?? '';
  const end = type.indexOf(';');
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase() === 'application/json';
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
