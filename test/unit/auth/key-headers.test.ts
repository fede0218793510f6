import { expect, test } from 'vitest';
import * as z from 'zod';
import { anyOf, apiKeys, createApiKey, custom, MemoryApiKeyStore } from '../../../src/auth.ts';
import type { Verifier } from '../../../src/auth.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import { createServer, defineTool } from '../../../src/index.ts';

const { key, record } = createApiKey({ id: 'ci' });
const keys = apiKeys(new MemoryApiKeyStore([record]), { header: 'X-Service-Key' });

test.each<[string, Verifier]>([
  ['apiKeys', keys],
  [
    'anyOf',
    anyOf(
      custom(() => undefined),
      keys,
    ),
  ],
])('the header of an API key is not among the headers that handlers see: %s', async (_name, verify) => {
  const tool = defineTool({
    name: 'headers',
    description: 'Lists headers',
    inputSchema: z.object({}),
    handler: ({ context }) => [...(context.http?.headers ?? [])].map(([name]) => name).join(' '),
  });
  const server = createServer({ name: 's', version: '1.0.0', tools: [tool] });
  const handle = toFetchHandler(server, { auth: { verify, resource: 'https://s.test/mcp' } });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'x-service-key': key,
    'x-trace': '1',
  };
  const post = (message: object, more: object = {}): Promise<Response> =>
    handle(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      }),
    );
  const call = { method: 'tools/call', params: { name: 'headers', arguments: {} } };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modern = await post(
    { ...call, params: { ...call.params, _meta } },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'headers' },
  );
  const opened = await post({
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    },
  });
  const session = opened.headers.get('mcp-session-id') ?? '';
  const legacy = await post(call, { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' });
  for (const response of [modern, legacy]) {
    const text = await response.text();
    expect(text).toContain('x-trace');
    expect(text).not.toContain('x-service-key');
  }
  await handle.close();
  await server.close();
});

test.each([[{ id: 'ci', scopes: 'a b' }], [{ id: '' }], [{ id: 7 }], ['ci']])(
  'a key for the principal %j is rejected when it is created',
  (principal) => {
    expect(() => createApiKey(principal as unknown as { id: string })).toThrow(
      'toApiKeyRecord: principal must be an object with an id: { id: "ada", scopes: ["notes:read"] }; received',
    );
  },
);

test('a store takes records and no keys, and does not show them', () => {
  const add = (): void => new MemoryApiKeyStore().add(key as unknown as typeof record);
  expect(add).toThrow('MemoryApiKeyStore: record must be the record of a key.');
});
