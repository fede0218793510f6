import { expect, test, vi } from 'vitest';
import type { ConfiguredServer } from '../../../src/config.ts';
import { askConfig, call, useScratch } from './support.ts';

const { load, upstream, write, complaints } = useScratch();

const reasonOf = (reply: unknown): unknown => (reply as { reason?: string } | undefined)?.reason;

/** Outcome of a call of each kind: undefined on success. */
async function reasons({ server }: ConfiguredServer): Promise<unknown[]> {
  const tool = (await server.tools?.executeTool({ name: 't', arguments: {} })) as { isError?: boolean };
  return [
    tool.isError === true,
    reasonOf(await server.prompts?.getPrompt({ name: 'p' })),
    reasonOf(await server.resources?.readResource({ uri: 'a://r' })),
  ];
}

async function serverWith(settings: string, give: string): Promise<ConfiguredServer> {
  write(
    'parts.mjs',
    `const give = ${give};
export const tool = { name: 't', description: 'T', inputSchema: { type: 'object' }, handler: give };
export const prompt = { name: 'p', handler: give };
export const resource = { uri: 'a://r', name: 'r', contentProvider: give };
`,
  );
  return load(
    'c.yaml',
    `name: demo
${settings}
tools: [{ module: ./parts.mjs, export: tool }]
prompts: [{ module: ./parts.mjs, export: prompt }]
resources: [{ module: ./parts.mjs, export: resource }]
`,
  );
}

test('a rate limit holds for tools, prompts and resources together', async () => {
  const configured = await serverWith('rateLimit: { limit: 3, perMs: 600000 }', "() => 'x'");
  expect(await reasons(configured)).toEqual([false, undefined, undefined]);
  expect(await reasons(configured)).toEqual([true, 'RATE_LIMITED', 'RATE_LIMITED']);
});

test('a time limit holds for tools, prompts and resources', async () => {
  const configured = await serverWith('limits: { timeoutMs: 20 }', '() => new Promise(() => {})');
  expect(await reasons(configured)).toEqual([true, 'TIMED_OUT', 'TIMED_OUT']);
});

test('a limit for results holds for tools, prompts and resources', async () => {
  const configured = await serverWith('limits: { maxResultBytes: 500 }', "() => 'x'.repeat(1000)");
  expect(await reasons(configured)).toEqual([true, 'RESULT_TOO_LARGE', 'RESULT_TOO_LARGE']);
});

test('errors: messages holds for tools, prompts and resources', async () => {
  const messagesOf = async ({ server }: ConfiguredServer): Promise<string> =>
    JSON.stringify([
      await server.tools?.executeTool({ name: 't', arguments: {} }),
      await server.prompts?.getPrompt({ name: 'p' }),
      await server.resources?.readResource({ uri: 'a://r' }),
    ]);
  const give = "() => { throw new Error('the disk is full'); }";
  const silent = vi.spyOn(console, 'error').mockReturnValue();
  try {
    const told = await messagesOf(await serverWith('errors: messages', give));
    expect(told.match(/the disk is full/g)).toHaveLength(3);
    expect(await messagesOf(await serverWith('errors: masked', give))).not.toContain('disk');
    expect(await messagesOf(await serverWith('', give))).not.toContain('disk');
  } finally {
    silent.mockRestore();
  }
});

test('the proxies of clientAddress are part of the transport; wrong ones are found', async () => {
  const transport = (proxies: string): string =>
    `name: demo\ntransport: { type: http, clientAddress: { forwardedFor: [${proxies}] } }\n`;
  expect((await load('c.yaml', transport("10.0.0.0/8, '::1'"))).transport).toEqual({
    type: 'http',
    clientAddress: { forwardedFor: ['10.0.0.0/8', '::1'] },
  });
  expect(await complaints('d.yaml', transport('10.0.0.1, proxy.example'))).toEqual([
    'd.yaml has a mistake:',
    "d.yaml:2:68 transport.clientAddress.forwardedFor[1] is invalid: forwardedFor: invalid proxy \"proxy.example\": expected an IP address or a range: forwardedFor(['10.0.0.0/8', '2001:db8::1']).",
  ]);
});

test('a server without prompts and resources says that it has none', async () => {
  const { server } = await load('c.yaml', 'name: demo\nprompts: []\n');
  expect([server.tools, server.prompts, server.resources]).toEqual([undefined, undefined, undefined]);
});

test('the headers of an answer are bounded as the configuration says', async () => {
  const { origin } = await upstream({
    body: 'fine',
    type: 'text/plain',
    headers: { 'x-long': 'x'.repeat(3000) },
  });
  const config = askConfig(origin, '/x');
  expect(await call(await load('a.yaml', config), 'ask')).toMatchObject({ content: [{ text: 'fine' }] });
  const strict = config.replace('maxRetries: 0', 'maxRetries: 0, maxHeaderBytes: 2048, maxConnections: 1');
  expect(await call(await load('b.yaml', strict), 'ask')).toMatchObject({ isError: true });
});
