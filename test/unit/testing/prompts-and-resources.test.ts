import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  createServer,
  PromptsManager,
  ResourcesManager,
  silentLogger,
  ToolRegistry,
} from '../../../src/index.ts';
import { connectTestClient, TestProtocolError } from '../../../src/testing.ts';

const prompts = new PromptsManager().addPrompt({
  name: 'greet',
  arguments: [{ name: 'who', required: true }, { name: 'how' }],
  complete: {
    who: ['Ada', 'Alan', 'Grace'],
    how: (_value, call) => [`for ${call.arguments['who']}`],
  },
  handler: ({ input, context }) => `Greet ${input.who} as ${context.principal?.id ?? 'nobody'}.`,
});
const resources = new ResourcesManager()
  .addResource({ uri: 'docs://manual', name: 'manual', text: 'Read me.' })
  .addResource({
    uriTemplate: 'notes://{id}',
    name: 'note',
    complete: { id: ['1', '12', '2'] },
    contentProvider: ({ variables }) => (variables.id === '9' ? null : { text: `note ${variables.id}` }),
  });
const principal = { id: 'ada' };

describe('a test client', () => {
  test('lists, fills in and completes the prompts of a server or a manager', async () => {
    const server = createServer({ name: 's', version: '1', prompts });
    for (const tested of [server, prompts]) {
      await using client = connectTestClient(tested, { principal });
      expect(await client.listPrompts()).toEqual([
        {
          name: 'greet',
          arguments: [
            { name: 'who', required: true },
            { name: 'how', required: false },
          ],
        },
      ]);
      expect(await client.getPrompt('greet', { who: 'Grace' })).toEqual({
        raw: { messages: [{ role: 'user', content: { type: 'text', text: 'Greet Grace as ada.' } }] },
        messages: [{ role: 'user', content: { type: 'text', text: 'Greet Grace as ada.' } }],
        text: 'Greet Grace as ada.',
      });
      expect((await client.complete({ prompt: 'greet' }, { name: 'who', value: 'a' })).values).toEqual([
        'Ada',
        'Alan',
      ]);
      const chosen = { who: 'Ada' };
      expect((await client.complete({ prompt: 'greet' }, { name: 'how', value: '' }, chosen)).values).toEqual(
        ['for Ada'],
      );
      await expect(client.getPrompt('greet')).rejects.toMatchObject({
        code: 'INVALID_ARGUMENTS',
        jsonRpcCode: -32602,
      });
      await expect(client.getPrompt('gret')).rejects.toBeInstanceOf(TestProtocolError);
    }
    await server.close();
  });

  test('lists, reads and completes the resources of a server or a manager', async () => {
    const server = createServer({ name: 's', version: '1', resources });
    for (const tested of [server, resources]) {
      await using client = connectTestClient(tested);
      expect((await client.listResources()).map(({ uri }) => uri)).toEqual(['docs://manual']);
      expect((await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate)).toEqual([
        'notes://{id}',
      ]);
      expect(await client.readResource('notes://7')).toEqual({
        raw: { contents: [{ uri: 'notes://7', mimeType: 'text/plain', text: 'note 7' }] },
        contents: [{ uri: 'notes://7', mimeType: 'text/plain', text: 'note 7' }],
        text: 'note 7',
      });
      expect(
        (await client.complete({ resource: 'notes://{id}' }, { name: 'id', value: '1' })).values,
      ).toEqual(['1', '12']);
      await expect(client.readResource('notes://9')).rejects.toMatchObject({ code: 'UNKNOWN_RESOURCE' });
    }
    await server.close();
  });

  test('sees what the server hides, and what it gains', async () => {
    const policy = ({ name }: { readonly name: string }): boolean => name !== 'greet';
    await using server = createServer({ name: 's', version: '1', prompts, policy });
    await using client = connectTestClient(server);
    expect(await client.listPrompts()).toEqual([]);
    await expect(client.getPrompt('greet', { who: 'Ada' })).rejects.toThrow('Unknown prompt: greet');
    await expect(client.listResources()).rejects.toThrow('Missing resources: the connected server has none.');
    server.registerResource({ uri: 'docs://new', name: 'new', text: 'New.' });
    expect((await client.readResource('docs://new')).text).toBe('New.');
  });

  test('gives the context to prompts, resources and completers', async () => {
    const manager = new PromptsManager<{ db: string }>().addPrompt({
      name: 'ask',
      arguments: [{ name: 'table' }],
      complete: { table: (_value, { context }) => [context.db] },
      handler: ({ context }) => context.db,
    });
    await using client = connectTestClient(manager, { context: { db: 'postgres' } });
    expect((await client.getPrompt('ask')).text).toBe('postgres');
    expect((await client.complete({ prompt: 'ask' }, { name: 'table', value: '' })).values).toEqual([
      'postgres',
    ]);
  });
});

describe.each(['2026-07-28', '2025-11-25'] as const)(
  'questions of a handler, as in %s',
  (protocolVersion) => {
    const runs: string[] = [];
    const tools = new ToolRegistry({ logger: silentLogger }).register({
      name: 'travel',
      description: 'Plans a journey',
      inputSchema: z.object({}),
      handler: async ({ context }) => {
        runs.push('run');
        const day = await context.step('day', () => runs.push('step'));
        const where = await context.ask('where', {
          message: 'Where to?',
          schema: z.object({ city: z.string(), nights: z.number() }),
        });
        if (where.action !== 'accept') return where.action;
        const { action } = await context.askUrl('pay', { message: 'Pay', url: 'https://pay.example.com/' });
        const model = await context.askModel('plan', {
          messages: [{ role: 'user', content: { type: 'text', text: where.content.city } }],
          maxTokens: 10,
        });
        const roots = await context.askRoots('roots');
        return [day > 0, where.content, action, model.content, roots, context.client.protocolVersion];
      },
    });

    test('are answered', async () => {
      runs.length = 0;
      const asked: unknown[] = [];
      await using client = connectTestClient(tools, {
        protocolVersion,
        onElicitation: (question) => {
          asked.push(question);
          return question.mode === 'url'
            ? { action: 'accept' }
            : { action: 'accept', content: { city: 'Turin', nights: 2 } };
        },
        onSampling: async ({ name, messages }) => `${name} ${JSON.stringify(messages[0]?.content)}`,
        roots: [{ uri: 'file:///work' }],
      });
      const { text } = await client.callTool('travel');
      expect(JSON.parse(text)).toEqual([
        true,
        { city: 'Turin', nights: 2 },
        'accept',
        { type: 'text', text: 'plan {"type":"text","text":"Turin"}' },
        [{ uri: 'file:///work' }],
        protocolVersion,
      ]);
      expect(asked).toMatchObject([
        {
          name: 'where',
          mode: 'form',
          message: 'Where to?',
          requestedSchema: { required: ['city', 'nights'] },
        },
        { name: 'pay', mode: 'url', message: 'Pay', url: 'https://pay.example.com/' },
      ]);
      // In 2026-07-28 the handler runs again for each response; its step does not.
      expect(runs.filter((run) => run === 'run').length).toBe(protocolVersion === '2026-07-28' ? 5 : 1);
      expect(runs.filter((run) => run === 'step').length).toBe(1);
    });

    test('are declined, and refused by a client that has not said who answers', async () => {
      await using declining = connectTestClient(tools, {
        protocolVersion,
        onElicitation: () => ({ action: 'decline' }),
      });
      expect((await declining.callTool('travel')).text).toBe('decline');
      await using silent = connectTestClient(tools, { protocolVersion });
      await expect(silent.callTool('travel')).rejects.toMatchObject({ code: 'MISSING_CLIENT_CAPABILITY' });
    });

    test('that are answered wrongly fail the test, not the tool', async () => {
      await using client = connectTestClient(tools, {
        protocolVersion,
        onElicitation: () => ({ action: 'accept', content: { city: 'Turin', nights: 'two' } }),
      });
      await expect(client.callTool('travel')).rejects.toThrow(
        'Invalid answer to "where": {"action":"accept","content":{"city":"Turin","nights":"two"}}. Expected fields: {"city":',
      );
      await using throwing = connectTestClient(tools, {
        protocolVersion,
        onElicitation: ({ message }) => {
          throw new Error(`unexpected: ${message}`);
        },
      });
      await expect(throwing.callTool('travel')).rejects.toThrow('unexpected: Where to?');
    });

    test('of prompts and resources are answered as well', async () => {
      await using server = createServer({
        name: 's',
        version: '1',
        prompts: [
          {
            name: 'greet',
            handler: async ({ context }) => {
              const answer = await context.ask('who', {
                message: 'Who?',
                schema: z.object({ who: z.string() }),
              });
              return answer.action === 'accept' ? `Hello, ${answer.content.who}!` : 'Hello!';
            },
          },
        ],
        resources: [
          {
            uri: 'docs://summary',
            name: 'summary',
            contentProvider: async ({ context }) => {
              const { content } = await context.askModel('sum', { messages: [], maxTokens: 1 });
              return JSON.stringify(content);
            },
          },
        ],
      });
      await using client = connectTestClient(server, {
        protocolVersion,
        onElicitation: () => ({ action: 'accept', content: { who: 'Ada' } }),
        onSampling: () => 'short',
      });
      expect((await client.getPrompt('greet')).text).toBe('Hello, Ada!');
      expect((await client.readResource('docs://summary')).text).toBe('{"type":"text","text":"short"}');
    });
  },
);

test('a handler whose questions have no end is stopped', async () => {
  let count = 0;
  const tools = new ToolRegistry().register({
    name: 'nag',
    description: 'Nags',
    inputSchema: z.object({}),
    handler: ({ context }) => context.ask(`q${(count += 1)}`, { message: '?', schema: z.object({}) }),
  });
  await using client = connectTestClient(tools, { onElicitation: () => ({ action: 'accept' }) });
  await expect(client.callTool('nag')).rejects.toThrow('The handler requested input in more than 50 rounds.');
});
