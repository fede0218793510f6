/** Tools, prompts and resources of your own beside the operations of an OpenAPI document. */
import { describe, expect, test } from 'vitest';
import { PromptsManager, ResourcesManager } from '../../src/index.ts';
import { OpenAPIServer } from '../../src/openapi.ts';
import type { OpenApiServerOptions } from '../../src/openapi.ts';
import { recordLog } from '../support/log-recorder.ts';
import { CLIENTS, connectDirectly } from '../support/served-clients.ts';
import { useApi } from '../unit/openapi/import/support.ts';

const api = useApi();

const document = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1.2.3' },
  paths: { '/pets': { get: { operationId: 'list-pets', responses: { 200: { description: 'All pets' } } } } },
};

// The signature of handlers, as the design has it.
type CustomToolHandler = (args: Record<string, unknown>) => Promise<{
  content: Array<{ type: string; text?: string; [key: string]: unknown }>;
  isError?: boolean;
}>;

const shout: CustomToolHandler = async (args) => ({
  content: [{ type: 'text', text: String(args['text']).toUpperCase() }],
});
const fail: CustomToolHandler = async () => {
  throw new Error('no such format');
};

const definition = {
  description: 'Transforms a text',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
} as const;

const load = (options: Partial<OpenApiServerOptions> = {}): Promise<OpenAPIServer> =>
  OpenAPIServer.load({ document, openapi: api.options, logger: recordLog().logger, ...options });

describe.each(CLIENTS)('custom tools, seen by the $client client', ({ client: name }) => {
  test('are listed behind the operations and called like them', async () => {
    await using server = await load();
    server.registerTool('shout', definition, shout);
    await using client = await connectDirectly(name, server);
    const tools = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['list-pets', 'shout']);
    expect(tools[1]).toEqual({
      name: 'shout',
      description: 'Transforms a text',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    });
    expect(await client.callText('list-pets')).toBe('{"ok":true}');
    expect(await client.callText('shout', { text: 'hello' })).toBe('HELLO');
  });

  test('may come with the configuration', async () => {
    await using server = await load({
      extraTools: [
        {
          name: 'shout',
          ...definition,
          handler: ({ input }: { input: Record<string, unknown> }) => shout(input),
        },
      ],
    });
    server.registerTool('whisper', definition, async ({ text }) => String(text).toLowerCase());
    await using client = await connectDirectly(name, server);
    expect((await client.listTools()).map((tool) => tool.name)).toEqual(['list-pets', 'shout', 'whisper']);
    expect(await client.callText('shout', { text: 'hello' })).toBe('HELLO');
    expect(await client.callText('whisper', { text: 'HELLO' })).toBe('hello');
  });

  test('a handler that throws is a result with isError; different here: its message is sent only where you say so', async () => {
    await using masked = await load();
    masked.registerTool('fail', definition, fail);
    await using first = await connectDirectly(name, masked);
    const result = await first.callTool('fail', { text: 'x' });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('no such format');

    await using shown = await load({ errors: 'messages' });
    shown.registerTool('fail', definition, fail);
    await using second = await connectDirectly(name, shown);
    expect(await second.callText('fail', { text: 'x' })).toMatch(
      /^Tool 'fail' failed: no such format \(reference \w{8}\)$/,
    );
  });

  test('different here: the arguments of custom tools are validated, before the handler runs', async () => {
    await using server = await load();
    server.registerTool('shout', definition, shout);
    await using client = await connectDirectly(name, server);
    expect(await client.callText('shout', { text: 7 })).toBe(
      "Invalid arguments for tool 'shout'.\n- text: must be string (expected: string; received: 7 (number))",
    );
  });

  test('different here: an unknown tool is -32602, not an internal error', async () => {
    await using client = await connectDirectly(name, await load());
    await expect(client.callTool('missing')).rejects.toMatchObject({ code: -32602 });
  });
});

describe.each(CLIENTS)('prompts and resources, seen by the $client client', ({ client: name }) => {
  test('come with the configuration or are registered later', async () => {
    await using server = await load({
      prompts: [
        {
          name: 'onboard',
          description: 'Adds a pet',
          arguments: [{ name: 'pet', required: true }, { name: 'owner' }],
          template: 'Add {{pet}} of {{owner}}.',
        },
      ],
      resources: [{ uri: 'docs://guide', name: 'guide', text: 'Feed them.' }],
    });
    server.registerPrompt({ name: 'greet', template: 'Hello' });
    server.registerResource({
      uri: 'docs://logo',
      name: 'logo',
      mimeType: 'image/png',
      contentProvider: async () => ({ blob: 'aGk=' }),
    });
    server.registerResource({ uri: 'docs://today', name: 'today', contentProvider: async () => 'Monday' });
    await using client = await connectDirectly(name, server);

    expect((await client.listPrompts()).map((prompt) => prompt.name)).toEqual(['onboard', 'greet']);
    const { messages } = await client.official.getPrompt({
      name: 'onboard',
      arguments: { pet: 'Rex', owner: 'Ada' },
    });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Add Rex of Ada.' } }]);
    await expect(client.official.getPrompt({ name: 'onboard', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });

    expect((await client.listResources()).map(({ uri }) => uri)).toEqual([
      'docs://guide',
      'docs://logo',
      'docs://today',
    ]);
    const contents = async (uri: string): Promise<unknown> =>
      (await client.official.readResource({ uri })).contents[0];
    expect(await contents('docs://guide')).toMatchObject({ uri: 'docs://guide', text: 'Feed them.' });
    expect(await contents('docs://logo')).toEqual({
      uri: 'docs://logo',
      mimeType: 'image/png',
      blob: 'aGk=',
    });
    expect(await contents('docs://today')).toMatchObject({ uri: 'docs://today', text: 'Monday' });
  });

  test('are declared only where there are some', async () => {
    await using plain = await load();
    await using first = await connectDirectly(name, plain);
    const { prompts, resources } = first.official.getServerCapabilities() ?? {};
    expect([prompts, resources]).toEqual([undefined, undefined]);
    plain.registerPrompt({ name: 'greet', template: 'Hello' });
    plain.registerResource({ uri: 'docs://guide', name: 'guide', text: 'Feed them.' });
    await using second = await connectDirectly(name, plain);
    // Different here: the members of the protocol, not `list` and `execute`.
    expect(second.official.getServerCapabilities()).toMatchObject({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    });
  });
});

test('a name or a URI that is taken is refused', async () => {
  await using server = await load();
  server.registerTool('shout', definition, shout);
  server.registerPrompt({ name: 'greet', template: 'Hello' });
  server.registerResource({ uri: 'docs://guide', name: 'guide', text: 'Feed them.' });
  const messageOf = (register: () => unknown): string | undefined => {
    try {
      register();
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };
  expect(messageOf(() => server.registerTool('shout', definition, shout))).toMatch(
    /^Tool with name 'shout' already exists/,
  );
  expect(messageOf(() => server.registerTool('list-pets', definition, shout))).toMatch(
    /^Tool with name 'list-pets' already exists/,
  );
  expect(messageOf(() => server.registerPrompt({ name: 'greet', template: 'Hi' }))).toMatch(
    /^Prompt with name 'greet' already exists/,
  );
  const guide = { uri: 'docs://guide', name: 'other', text: '' };
  expect(messageOf(() => server.registerResource(guide))).toMatch(
    /^Resource with URI 'docs:\/\/guide' already exists/,
  );
  expect(server.tools?.listTools().map(({ name }) => name)).toEqual(['list-pets', 'shout']);
});

test('the managers work by themselves', async () => {
  const prompts = new PromptsManager({ prompts: [] });
  prompts.addPrompt({
    name: 'greet',
    template: 'Hello {{who}}',
    arguments: [{ name: 'who', required: true }],
  });
  expect([prompts.has('greet'), prompts.has('leave')]).toEqual([true, false]);
  expect(prompts.getAllPrompts()).toEqual([{ name: 'greet', arguments: [{ name: 'who', required: true }] }]);
  expect(await prompts.getPrompt('greet', { who: 'Ada' })).toEqual({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello Ada' } }],
  });
  await expect(prompts.getPrompt('greet', {})).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });

  const resources = new ResourcesManager({ resources: [] });
  resources.addResource({ uri: 'docs://guide', name: 'guide', contentProvider: async () => 'Feed them.' });
  expect(resources.getAllResources().map(({ uri }) => uri)).toEqual(['docs://guide']);
  expect(await resources.readResource('docs://guide')).toEqual({
    contents: [{ uri: 'docs://guide', mimeType: 'text/plain', text: 'Feed them.' }],
  });
  await expect(resources.readResource('docs://other')).rejects.toMatchObject({ code: 'UNKNOWN_RESOURCE' });
});

test('different here: the handler of a whole definition takes { input, context }; the log says so to those who read arguments off it', async () => {
  const { logger, entries } = recordLog();
  const handler = ((args: { text: string }) => args.text.toUpperCase()) as never;
  await using server = await load({ logger, extraTools: [{ name: 'shout', ...definition, handler }] });
  await using client = await connectDirectly('v2 auto', server);
  expect((await client.callTool('shout', { text: 'hello' })).isError).toBe(true);
  expect(entries.at(-1)?.fields?.['error']).toMatchObject({
    message: expect.stringContaining('"shout": the handler reads "text" from its parameter') as string,
  });
});
