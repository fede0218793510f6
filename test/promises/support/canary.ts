import { envelope } from '../../support/raw-peer.ts';
import type { Json } from '../../support/raw-peer.ts';
import type { ChildServer } from './child-server.ts';

/** A header as written: names keep their case, and a header may occur twice. */
export type Field = readonly [name: string, value: string];

/** A request as sent. Only the length of the body is added, if no field has it. */
export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly fields: readonly Field[];
  readonly body?: string | Buffer;
}

/** A request as bytes; text outside of the body is latin1. */
export function toBytes({ method, target, fields, body }: WireRequest): Buffer {
  const payload = body === undefined ? Buffer.alloc(0) : Buffer.from(body);
  const length: Field[] = body === undefined ? [] : [['Content-Length', String(payload.length)]];
  const lines = [...fields, ...length].map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), payload]);
}

/** Content type and accepted types of every POST. */
export const JSON_FIELDS: readonly Field[] = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
];

/** A message of 2026-07-28. */
export function modernMessage(method: string, params: Json, id: string | number = 1): Json {
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: envelope({}) } };
}

/** The headers that repeat values of a message of 2026-07-28. */
export function mirrorFields(method: string, name?: string): readonly Field[] {
  const named: readonly Field[] = name === undefined ? [] : [['Mcp-Name', name]];
  return [['MCP-Protocol-Version', '2026-07-28'], ['Mcp-Method', method], ...named];
}

/** A tool call, complete except for the host. */
export function toolCall(name: string, args: Json = {}, id: string | number = 1): WireRequest {
  return {
    method: 'POST',
    target: '/mcp',
    fields: [...JSON_FIELDS, ...mirrorFields('tools/call', name)],
    body: JSON.stringify(modernMessage('tools/call', { name, arguments: args }, id)),
  };
}

/** Number of calls so far, by name. */
export async function countsOf(server: ChildServer): Promise<Readonly<Record<string, number>>> {
  const answer = server.hear<{ counts: Record<string, number> }>('counts');
  server.process.send('counts');
  return (await answer).counts;
}

/** A request that the server has read from a connection. */
export interface SeenRequest {
  readonly method: string;
  readonly target: string;
  /** Header that a proxy adds to every request. */
  readonly mark?: string;
  readonly body: string;
}

/** Every request since the previous call. */
export async function seenBy(server: ChildServer): Promise<readonly SeenRequest[]> {
  const answer = server.hear<{ seen: SeenRequest[] }>('seen');
  server.process.send('seen');
  return (await answer).seen;
}
