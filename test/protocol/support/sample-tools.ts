import * as z from 'zod';
import { defineTool, ToolError } from '../../../src/index.ts';
import type { AnyToolDefinition } from '../../../src/index.ts';
import type { Gate } from './gate.ts';

/** A form for elicitation. */
export const nameForm = z.object({ name: z.string() });

const NOTHING = z.object({});

/** Every kind of tool. */
export function sampleTools(gate: Gate): AnyToolDefinition[] {
  return [...plainTools(), ...talkativeTools(gate), ...askingTools(), ...patientTools(), ...taskTools(gate)];
}

function plainTools(): AnyToolDefinition[] {
  return [
    defineTool({
      name: 'add',
      description: 'Adds two numbers',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
      handler: ({ input }) => ({ sum: input.a + input.b }),
    }),
    defineTool({
      name: 'primes',
      description: 'Some primes',
      inputSchema: NOTHING,
      outputSchema: z.array(z.number()),
      handler: () => [2, 3, 5],
    }),
    defineTool({
      name: 'route',
      description: 'Goes where its headers say',
      inputSchema: z.object({
        region: z.string().optional().meta({ 'x-mcp-header': 'Region' }),
        shard: z.int().optional().meta({ 'x-mcp-header': 'Shard' }),
        dry: z.boolean().optional().meta({ 'x-mcp-header': 'Dry' }),
        tenant: z.object({ id: z.string().optional().meta({ 'x-mcp-header': 'Tenant' }) }).optional(),
      }),
      handler: ({ input }) => `routed ${JSON.stringify(input)}`,
    }),
    defineTool({
      name: 'media',
      description: 'A sound and a link',
      inputSchema: NOTHING,
      handler: () => ({
        content: [
          { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
          { type: 'resource_link', uri: 'docs://manual', name: 'manual' },
        ],
      }),
    }),
    defineTool({
      name: 'fail',
      description: 'Throws',
      inputSchema: NOTHING,
      handler: () => {
        throw new Error('internal detail');
      },
    }),
    defineTool({
      name: 'whoami',
      description: 'Says who calls',
      inputSchema: NOTHING,
      handler: ({ context }) =>
        [context.principal?.id, context.client.name, context.traceparent].map(String).join(' '),
    }),
  ];
}

function talkativeTools(gate: Gate): AnyToolDefinition[] {
  return [
    defineTool({
      name: 'count',
      description: 'Reports progress, not always forwards',
      inputSchema: NOTHING,
      handler: async ({ context }) => {
        for (const step of [1, 3, 2, 3, 4]) await context.progress(step, 4, `step ${step}`);
        return 'counted';
      },
    }),
    defineTool({
      name: 'log',
      description: 'Writes to the log of the client',
      inputSchema: NOTHING,
      handler: async ({ context }) => {
        await context.sendLog('debug', 'detail');
        await context.sendLog('info', { at: 'start' }, 'sample');
        await context.sendLog('error', 'oops');
        return 'logged';
      },
    }),
    defineTool({
      name: 'wait',
      description: 'Waits until it may go on',
      inputSchema: z.object({ name: z.string().default('wait'), isLoud: z.boolean().default(false) }),
      handler: async ({ input, context }) => {
        if (input.isLoud) await context.progress(1);
        await gate.pass(input.name, context.signal);
        if (input.isLoud) await context.progress(2);
        return 'went on';
      },
    }),
    defineTool({
      name: 'leave',
      description: 'Lets the client hang up and come back',
      inputSchema: NOTHING,
      handler: async ({ context }) => {
        context.releaseStream();
        await gate.pass('leave', context.signal);
        return 'come back';
      },
    }),
  ];
}

function askingTools(): AnyToolDefinition[] {
  return [
    defineTool({
      name: 'greet',
      description: 'Asks for a name',
      inputSchema: z.object({ greeting: z.string().default('Hello') }),
      handler: async ({ input, context }) => {
        const answer = await context.ask('user_name', { message: 'Who are you?', schema: nameForm });
        return answer.action === 'accept'
          ? `${input.greeting}, ${answer.content.name}!`
          : `(${answer.action})`;
      },
    }),
    defineTool({
      name: 'ask_all',
      description: 'Asks the user, the model and for folders at once',
      inputSchema: NOTHING,
      handler: async ({ context }) => {
        const [user, model, roots] = await Promise.all([
          context.ask('user_name', { message: 'Who are you?', schema: nameForm }),
          context.askModel('capital', {
            messages: [{ role: 'user', content: { type: 'text', text: 'The capital of France?' } }],
            maxTokens: 10,
          }),
          context.askRoots('folders'),
        ]);
        return JSON.stringify([user, model.content, roots]);
      },
    }),
    defineTool({
      name: 'ask_client',
      description: 'Asks the model and for folders, as all revisions can',
      inputSchema: NOTHING,
      handler: async ({ context }) => {
        const [model, roots] = await Promise.all([
          context.askModel('capital', {
            messages: [{ role: 'user', content: { type: 'text', text: 'The capital of France?' } }],
            maxTokens: 10,
          }),
          context.askRoots('folders'),
        ]);
        return JSON.stringify([model.content, roots]);
      },
    }),
  ];
}

function patientTools(): AnyToolDefinition[] {
  return [
    defineTool({
      name: 'two_rounds',
      description: 'Asks twice, one after the other',
      inputSchema: NOTHING,
      handler: async ({ context }) => {
        const first = await context.ask('first', { message: 'First?', schema: nameForm });
        const second = await context.ask('second', { message: 'Second?', schema: nameForm });
        return JSON.stringify([first, second]);
      },
    }),
    defineTool({
      name: 'visit',
      description: 'Sends the user to a page',
      inputSchema: NOTHING,
      handler: async ({ context }) => {
        const answer = await context.askUrl('page', { message: 'Sign in', url: 'https://example.com/in' });
        return answer.action;
      },
    }),
  ];
}

function taskTools(gate: Gate): AnyToolDefinition[] {
  return [
    defineTool({
      name: 'slow',
      description: 'Takes its time',
      inputSchema: z.object({ isError: z.boolean().default(false) }),
      task: { support: 'optional', pollIntervalMs: 250 },
      handler: async ({ input, context }) => {
        await context.progress({ progress: 1, message: 'half way' });
        await context.sendLog('error', 'never sent');
        await gate.pass('slow', context.signal);
        if (input.isError) throw new ToolError('It did not work out.');
        return 'slowly done';
      },
    }),
    defineTool({
      name: 'job',
      description: 'A task or nothing; asks for two names',
      inputSchema: NOTHING,
      task: 'required',
      handler: async ({ context }) => {
        const names = await Promise.all([
          context.ask('first', { message: 'First?', schema: nameForm }),
          context.ask('second', { message: 'Second?', schema: nameForm }),
        ]);
        return JSON.stringify(names);
      },
    }),
    defineTool({
      name: 'later',
      description: 'Asks, then goes on as a task',
      inputSchema: NOTHING,
      task: { support: 'required', start: 'handler' },
      handler: async ({ context }) => {
        const answer = await context.ask('user_name', { message: 'Who are you?', schema: nameForm });
        await context.startTask();
        return answer.action === 'accept' ? `Done for ${answer.content.name}` : answer.action;
      },
    }),
  ];
}
