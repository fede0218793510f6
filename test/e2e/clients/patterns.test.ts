import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { createServer, defineTool } from '../../../src/index.ts';
import type { McpCallToolResult, ToolwrightServer } from '../../../src/index.ts';
import { OpenAPIServer } from '../../../src/openapi.ts';
import { connectDirectly } from '../../support/served-clients.ts';

/** Valid outside of Unicode mode only. The official client compiles output schemas in Unicode mode, and throws before it calls. */
const PATTERN = String.raw`^[\w-.]+\@b\_$`;
const WRITTEN = String.raw`^[\w\-.]+@b_$`;

const api = createHttpServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ id: request.url === '/bad' ? 'a b' : 'a-.@b_' }));
});
let baseUrl = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
afterAll(() => api.close());

async function callThrough(
  client: 'v1' | 'v2 auto',
  server: ToolwrightServer,
): Promise<{ pattern: unknown; result: McpCallToolResult }> {
  const connected = await connectDirectly(client, server);
  onTestFinished(async () => {
    await connected.close();
    await server.close();
  });
  const [tool] = await connected.listTools();
  const [, pattern = ''] = /"pattern":("[^"]+")/.exec(JSON.stringify(tool?.outputSchema)) ?? [];
  const result = await connected.official.callTool({ name: tool?.name ?? '', arguments: {} });
  return { pattern: JSON.parse(pattern), result };
}

const servers: Readonly<Record<string, () => Promise<ToolwrightServer>>> = {
  'an OpenAPI document': () => {
    const schema = { type: 'object', properties: { id: { type: 'string', pattern: PATTERN } } };
    const responses = { 200: { description: 'A pet', content: { 'application/json': { schema } } } };
    return OpenAPIServer.load({
      document: {
        openapi: '3.1.0',
        info: { title: 'Pets', version: '1' },
        paths: { '/pet': { get: { operationId: 'getPet', responses } } },
      },
      openapi: { baseUrl, outputSchemas: true, outbound: { allowPrivate: ['127.0.0.1'] } },
    });
  },
  'a JSON Schema': async () =>
    createServer({
      name: 'pets',
      version: '1',
      tools: [
        defineTool({
          name: 'getPet',
          description: 'Returns a pet',
          inputSchema: { type: 'object' },
          outputSchema: { type: 'object', properties: { id: { type: 'string', pattern: PATTERN } } },
          handler: () => ({ id: 'a-.@b_' }),
        }),
      ],
    }),
  'a Zod schema': async () =>
    createServer({
      name: 'pets',
      version: '1',
      tools: [
        defineTool({
          name: 'getPet',
          description: 'Returns a pet',
          inputSchema: z.object({}),
          outputSchema: z.object({ id: z.string().regex(RegExp(PATTERN)) }),
          handler: () => ({ id: 'a-.@b_' }),
        }),
      ],
    }),
};

describe.each(Object.keys(servers))('a pattern that is not valid in Unicode mode, of %s', (kind) => {
  test.each(['v1', 'v2 auto'] as const)('does not keep the official client %s from calls', async (client) => {
    const server = await servers[kind]?.();
    if (server === undefined) throw new Error('there is no such server');
    const { pattern, result } = await callThrough(client, server);
    expect(pattern).toBe(WRITTEN);
    expect(result.structuredContent).toEqual({ id: 'a-.@b_' });
  });
});
