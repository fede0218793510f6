import type { Json, McpSocket } from './mcp-socket.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/logLevel': 'info',
};

/** A request as bytes: its head, and a body with one byte per character. */
function toRequest(method: string, headers: readonly string[], body = ''): string {
  const length = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const rest = headers.map((header) => `${header}\r\n`).join('');
  return `${method} /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json, text/event-stream\r\n${length}${rest}\r\n${body}`;
}

/** Content of a request. */
export interface Asked {
  readonly method: string;
  readonly params?: Json;
  readonly id?: string | number;
  /** Requests progress notifications. */
  readonly progressToken?: string | number;
}

/** A request of 2026-07-28 as a message. */
export function modernMessage({ method, params = {}, id = 1, progressToken }: Asked): string {
  const _meta = progressToken === undefined ? META : { ...META, progressToken };
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
}

/** A request of an earlier revision as a message. */
export function legacyMessage({ method, params = {}, id = 1, progressToken }: Asked): string {
  const meta = progressToken === undefined ? {} : { _meta: { progressToken } };
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, ...meta } });
}

/** A request of 2026-07-28 over HTTP. */
export function modernRequest(asked: Asked): string {
  const name = asked.params?.['name'];
  const named = typeof name === 'string' ? [`Mcp-Name: ${name}`] : [];
  const headers = ['MCP-Protocol-Version: 2026-07-28', `Mcp-Method: ${asked.method}`, ...named];
  return toRequest('POST', headers, modernMessage(asked));
}

function sessionHeaders(session: string): string[] {
  return ['MCP-Protocol-Version: 2025-11-25', `Mcp-Session-Id: ${session}`];
}

/** A request of 2025-11-25 over HTTP. */
export function legacyRequest(session: string, asked: Asked): string {
  return toRequest('POST', sessionHeaders(session), legacyMessage(asked));
}

/** A notification of 2025-11-25 over HTTP. */
export function legacyNotification(session: string, method: string, params: Json = {}): string {
  return toRequest('POST', sessionHeaders(session), JSON.stringify({ jsonrpc: '2.0', method, params }));
}

/** Opens a stream, or resumes one. */
export function legacyListen(session: string, lastEvent?: string): string {
  const back = lastEvent === undefined ? [] : [`Last-Event-ID: ${lastEvent}`];
  return toRequest('GET', [...sessionHeaders(session), ...back]);
}

export function legacyDelete(session: string): string {
  return toRequest('DELETE', sessionHeaders(session));
}

/** Opens a session of 2025-11-25; undefined if the server rejects it. */
export async function openSession(socket: McpSocket): Promise<string> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'promise', version: '1' },
  };
  const answer = await socket.ask(toRequest('POST', [], legacyMessage({ method: 'initialize', params })));
  const session = /^mcp-session-id: (\S+)/im.exec(answer?.head ?? '')?.[1];
  if (session === undefined) throw new Error(`no session: ${answer?.status ?? 'no answer'}`);
  await socket.ask(legacyNotification(session, 'notifications/initialized'));
  return session;
}
