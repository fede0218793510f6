import { setTimeout as sleep } from 'node:timers/promises';
import { defineTool, MissingCapabilityError, ToolError } from 'toolwright';
import type { AnyToolDefinition } from 'toolwright';
import * as z from 'zod';
import { NAME } from './questions.ts';

const NOTHING = z.object({});

/** Tools that run as tasks, and one that does not. */
export const taskTools: readonly AnyToolDefinition[] = [
  defineTool({
    name: 'greet',
    description: 'Returns a greeting immediately.',
    inputSchema: z.object({ name: z.string() }),
    handler: ({ input }) => `Hello, ${input.name}!`,
  }),
  defineTool({
    name: 'slow_compute',
    description: 'Takes as long as its argument says.',
    inputSchema: z.object({ seconds: z.number().min(0).max(600), label: z.string().optional() }),
    task: 'optional',
    handler: async ({ input, context }) => {
      await sleep(input.seconds * 1000, undefined, { signal: context.signal });
      return `Computed ${input.label ?? 'something'} in ${input.seconds} s.`;
    },
  }),
  defineTool({
    name: 'failing_job',
    description: 'Works for a second and fails.',
    inputSchema: NOTHING,
    task: 'required',
    handler: async ({ context }) => {
      await sleep(1000, undefined, { signal: context.signal });
      throw new ToolError('The job failed on purpose.');
    },
  }),
  defineTool({
    name: 'protocol_error_job',
    description: 'Requires a capability that the client lacks: a JSON-RPC error, not a tool error.',
    inputSchema: NOTHING,
    task: 'required',
    handler: async ({ context }) => {
      await sleep(200, undefined, { signal: context.signal });
      throw new MissingCapabilityError({ experimental: { 'toolwright.example/never': {} } });
    },
  }),
  defineTool({
    name: 'confirm_delete',
    description: 'Asks for confirmation. Deletes nothing.',
    inputSchema: z.object({ filename: z.string() }),
    task: 'required',
    handler: async ({ input, context }) => {
      const answer = await context.ask('confirm', {
        message: `Delete ${input.filename}?`,
        schema: z.object({ confirm: z.boolean() }),
      });
      const isConfirmed = answer.action === 'accept' && answer.content.confirm;
      return isConfirmed ? `Deleted ${input.filename}.` : `Kept ${input.filename}.`;
    },
  }),
  defineTool({
    name: 'multi_input',
    description: 'Asks for two names at once.',
    inputSchema: NOTHING,
    task: 'required',
    handler: async ({ context }) => {
      const answers = await Promise.all([
        context.ask('first_name', { message: 'What is the first name?', schema: NAME }),
        context.ask('second_name', { message: 'What is the second name?', schema: NAME }),
      ]);
      return answers.map((answer) => (answer.action === 'accept' ? answer.content.name : '-')).join(', ');
    },
  }),
  defineTool({
    name: 'test_tool_with_task',
    description: 'Asks the user, then continues as a task.',
    inputSchema: NOTHING,
    task: { support: 'required', start: 'handler' },
    handler: async ({ context }) => {
      const answer = await context.ask('user_name', { message: 'What is your name?', schema: NAME });
      if (answer.action !== 'accept') return 'Nothing to do.';
      await context.startTask();
      await sleep(200, undefined, { signal: context.signal });
      return `Hello, ${answer.content.name}!`;
    },
  }),
];
