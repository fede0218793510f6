import { HANDSHAKE, VERSIONS } from './messages.mjs';

/**
 * A request as it goes over the socket.
 *
 * @typedef {import('./messages.mjs').Message & { bytes: Buffer }} HttpRequest
 */

/**
 * The headers that the revision requires, and no others.
 *
 * @param {import('./messages.mjs').Message} message
 * @param {'modern' | 'legacy'} era
 * @param {string} [session]
 * @returns {Record<string, string>}
 */
export function headersOf({ method, name }, era, session) {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': VERSIONS[era],
    ...(era === 'modern' ? { 'mcp-method': method } : {}),
    ...(era === 'modern' && name !== undefined ? { 'mcp-name': name } : {}),
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
  };
}

/**
 * @param {readonly import('./messages.mjs').Message[]} messages
 * @param {{ port: number, era: 'modern' | 'legacy', sessions: readonly string[], token?: string }} to
 * @returns {HttpRequest[]}
 */
export function toHttpRequests(messages, { port, era, sessions, token }) {
  return messages.map((message, index) => {
    const headers = headersOf(message, era, sessions[index % sessions.length]);
    const lines = [
      'POST /mcp HTTP/1.1',
      `host: 127.0.0.1:${port}`,
      ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `content-length: ${Buffer.byteLength(message.text)}`,
    ];
    return { ...message, bytes: Buffer.from(`${lines.join('\r\n')}\r\n\r\n${message.text}`) };
  });
}

/**
 * Sessions of 2025-11-25, after their handshake; none if the server has no sessions.
 *
 * @param {number} port
 * @param {number} count
 * @returns {Promise<string[]>}
 */
export async function openSessions(port, count) {
  const sessions = [];
  for (let index = 0; index < count; index += 1) {
    const session = await openSession(port);
    if (session === undefined) return [];
    sessions.push(session);
  }
  return sessions;
}

async function openSession(port) {
  const initialize = { method: 'initialize' };
  const opened = await post(port, HANDSHAKE.initialize, headersOf(initialize, 'legacy'));
  const session = opened.headers.get('mcp-session-id') ?? undefined;
  if (session !== undefined)
    await post(port, HANDSHAKE.initialized, headersOf(initialize, 'legacy', session));
  return session;
}

async function post(port, body, headers) {
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`the handshake was rejected: ${response.status} ${text.slice(0, 300)}`);
  return response;
}
