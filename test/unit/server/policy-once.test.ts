import { expect, test } from 'vitest';
import { createServer } from '../../../src/index.ts';
import { servedOf } from '../../../src/server/served-of.ts';
import { DuplexConnection } from '../../../src/wire/sessions/duplex-connection.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

test.each([
  ['tools/call', { name: 'ping' }, ['ping']],
  ['prompts/get', { name: 'greet' }, ['greet']],
  ['resources/read', { uri: 'docs://manual' }, ['docs://manual']],
  ['resources/read', { uri: 'docs://pages/7' }, ['docs://pages/{page}']],
])('%s asks the policy once about what it is for: %j', async (method, params, expected) => {
  const asked: string[] = [];
  await using server = createServer({
    name: 's',
    version: '1',
    policy: (subject, caller) => {
      asked.push(subject.name);
      return caller.principal !== undefined;
    },
    tools: [{ name: 'ping', description: 'Pings', inputSchema: {}, handler: () => 'pong' }],
    prompts: [{ name: 'greet', description: 'Greets', handler: () => 'Hello' }],
    resources: [
      { uri: 'docs://manual', name: 'manual', text: 'Read me', cacheHint: { ttlMs: 5 } },
      {
        uriTemplate: 'docs://pages/{page}',
        name: 'page',
        contentProvider: ({ variables }) => variables.page,
      },
    ],
  });
  const reply = new Promise<string>((resolve) => {
    const connection = new DuplexConnection(servedOf(server), {
      caller: { principal: { id: 'ada' } },
      send: (text) => resolve(text),
    });
    connection.receive(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }));
  });
  expect(JSON.parse(await reply)).toHaveProperty('result');
  expect(asked).toEqual(expected);
});
