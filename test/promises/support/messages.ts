import { envelope } from '../../support/raw-peer.ts';
import { JSON_HEADERS } from './poster.ts';
import type { Poster } from './poster.ts';

/** The text of a request with placeholders for values that no object can hold. */
export interface Written {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A function that serializes requests. */
export type Writer = (method: string, params: Readonly<Record<string, unknown>>) => Written;

/** Requests of 2026-07-28. */
export const writeModern: Writer = (method, params) => {
  const name = params['name'] ?? params['uri'];
  const _meta = { ...envelope({}), ...(params['_meta'] as object | undefined) };
  return {
    headers: {
      ...JSON_HEADERS,
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  };
};

/** Requests in a session of an earlier revision, which is opened first. */
export async function openLegacy(poster: Poster, version = '2025-11-25'): Promise<Writer> {
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: version, capabilities: {}, clientInfo };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const { status, session } = await poster.send({ body });
  if (status !== 200 || session === undefined) throw new Error(`no session: ${status}`);
  const headers = { ...JSON_HEADERS, 'Mcp-Session-Id': session, 'MCP-Protocol-Version': version };
  await poster.send({ headers, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' });
  let id = 0;
  return (method, given) => {
    // Two open requests of a session must not have the same id.
    id += 1;
    return { headers, body: JSON.stringify({ jsonrpc: '2.0', id, method, params: given }) };
  };
}
