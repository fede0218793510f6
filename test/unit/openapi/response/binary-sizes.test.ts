import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ReadBuffer } from '@modelcontextprotocol/sdk/shared/stdio.js';
import { afterEach, describe, expect, test } from 'vitest';
import { createServer, ToolRegistry } from '../../../../src/index.ts';
import type { McpCallToolResult, ToolRegistryOptions } from '../../../../src/index.ts';
import { serveHttp } from '../../../../src/http.ts';
import { fromOpenAPI, OPENAPI_DEFAULTS } from '../../../../src/openapi.ts';
import type { OpenApiOptions } from '../../../../src/openapi.ts';
import { useApi, withOperation } from '../import/support.ts';

const MIB = 1_048_576;
const api = useApi();
afterEach(() => {
  api.answer = {};
});

const DOCUMENT = withOperation({ operationId: 'get', tags: ['files'] });
const { maxBinaryBytes: STATED } = OPENAPI_DEFAULTS;

function answerWith(bytes: number, type = 'application/zip'): Buffer {
  const body = Buffer.alloc(bytes, 'The bytes of a file. ');
  api.answer = { headers: { 'content-type': type }, body };
  return body;
}

async function call(
  options: OpenApiOptions = {},
  settings: ToolRegistryOptions = {},
  params: { readonly name: string; readonly arguments: Record<string, unknown> } = {
    name: 'get',
    arguments: {},
  },
): Promise<McpCallToolResult> {
  const registry = new ToolRegistry(settings);
  await fromOpenAPI(DOCUMENT, { ...api.options, ...options, registry });
  return registry.executeTool(params);
}

const blobOf = ({ content: [block] }: McpCallToolResult): unknown =>
  block?.type === 'resource' && 'blob' in block.resource ? block.resource.blob : block;
const codeOf = ({ _meta }: McpCallToolResult): unknown =>
  (_meta?.['toolwright/error'] as { code?: unknown } | undefined)?.code;

describe('binary responses', () => {
  test.each([
    [3 * MIB, 'flat'],
    [5 * MIB, 'flat'],
    [STATED, 'flat'],
    [STATED, 'search'],
  ] as const)('of %i bytes reach an official client over HTTP: %s', async (bytes, exposure) => {
    const body = answerWith(bytes);
    const { tools } = await fromOpenAPI(DOCUMENT, api.options);
    const server = createServer({ name: 'files', version: '1.0.0', tools, exposure });
    const running = await serveHttp(server, { port: 0 });
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(running.url)));
    const direct = { name: 'get', arguments: {} };
    const params = exposure === 'flat' ? direct : { name: 'call_tool', arguments: direct };
    const result = (await client.callTool(params)) as McpCallToolResult;
    expect(Buffer.from(String(blobOf(result)), 'base64').equals(body)).toBe(true);
    await client.close();
    await running.close();
  });

  test('of the stated size are one line that official clients read', async () => {
    answerWith(STATED);
    const result = await call();
    const buffer = new ReadBuffer();
    buffer.append(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n`));
    expect(buffer.readMessage()).toMatchObject({ id: 1 });
  });

  test('of more than that are described', async () => {
    answerWith(STATED + 1);
    expect((await call()).content).toEqual([
      {
        type: 'text',
        text: 'ZIP archive of 7,340,033 bytes. It was not passed on: it is larger than the limit of 7,340,032 bytes.',
      },
    ]);
  });

  test('of the size that maxBinaryBytes allows are passed on, images too', async () => {
    const body = answerWith(8 * MIB, 'image/png');
    const { content } = await call({ maxBinaryBytes: 8 * MIB });
    expect(content[0]).toMatchObject({ type: 'image', data: body.toString('base64') });
  });

  test('are actions of grouped tools, and operations of dynamic ones', async () => {
    const body = answerWith(5 * MIB).toString('base64');
    const grouped = { name: 'files', arguments: { action: 'get' } };
    expect(blobOf(await call({ groupBy: 'tag' }, {}, grouped))).toBe(body);
    const dynamic = { name: 'invoke-api-endpoint', arguments: { endpoint: 'get' } };
    expect(blobOf(await call({ mode: 'dynamic' }, {}, dynamic))).toBe(body);
  });

  test('are never larger than the registry was told', async () => {
    answerWith(3 * MIB);
    expect(codeOf(await call({}, { maxResultBytes: 4 * MIB }))).toBe('RESULT_TOO_LARGE');
    expect(codeOf(await call({}, { maxResultBytes: 5 * MIB }))).toBeUndefined();
  });
});

describe('maxResultBytes of a tool', () => {
  const register = (maxResultBytes: number, settings: ToolRegistryOptions = {}): ToolRegistry =>
    new ToolRegistry(settings).register({
      name: 'large',
      description: 'Returns five million characters',
      inputSchema: { type: 'object' },
      maxResultBytes,
      handler: () => 'x'.repeat(5_000_000),
    });

  test('may be more than the default, and less', async () => {
    const resultOf = (registry: ToolRegistry): Promise<McpCallToolResult> =>
      registry.executeTool({ name: 'large' });
    expect(codeOf(await resultOf(register(6_000_000)))).toBeUndefined();
    expect(codeOf(await resultOf(register(4_000_000)))).toBe('RESULT_TOO_LARGE');
    expect(codeOf(await resultOf(register(6_000_000, { maxResultBytes: 4_500_000 })))).toBe(
      'RESULT_TOO_LARGE',
    );
  });

  test('is a whole number', () => {
    expect(() => register(0)).toThrow(
      'Tool "large": maxResultBytes must be an integer of at least 1; received 0.',
    );
  });
});
