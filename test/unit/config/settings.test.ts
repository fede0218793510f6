import { expect, test } from 'vitest';
import type { ConfiguredServer } from '../../../src/config.ts';
import { askConfig, call, useScratch } from './support.ts';

const { load, upstream, write } = useScratch();

const reasonOf = (reply: unknown): unknown => (reply as { reason?: string } | undefined)?.reason;

/** What becomes of a call of each kind: undefined if it is well. */
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
