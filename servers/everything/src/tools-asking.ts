import { defineTool } from 'toolwright';
import type { AnyToolDefinition } from 'toolwright';
import * as z from 'zod';
import { CONFIRMATION, DEFAULTS, ENUMS, NAME, textOf } from './questions.ts';

const NOTHING = z.object({});

/** Tools with elicitation, sampling and roots. They are written once for all revisions. */
export const askingTools: readonly AnyToolDefinition[] = [
  defineTool({
    name: 'test_sampling',
    description: 'Requests sampling from the client.',
    inputSchema: z.object({ prompt: z.string().describe('What to ask') }),
    handler: async ({ input, context }) => {
      const answer = await context.askModel('prompt', {
        messages: [{ role: 'user', content: { type: 'text', text: input.prompt } }],
        maxTokens: 100,
      });
      return `LLM response: ${textOf(answer)}`;
    },
  }),
  defineTool({
    name: 'test_missing_capability',
    description: 'Needs a client with sampling.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      const answer = await context.askModel('greeting', {
        messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
        maxTokens: 50,
      });
      return textOf(answer);
    },
  }),
  defineTool({
    name: 'test_elicitation',
    description: 'Asks the user for a name and an address.',
    inputSchema: z.object({ message: z.string().describe('What to show to the user') }),
    handler: async ({ input, context }) => {
      const schema = z.object({
        username: z.string().describe("User's response"),
        email: z.string().describe("User's email address"),
      });
      const answer = await context.ask('user', { message: input.message, schema });
      return `User response: ${JSON.stringify(answer)}`;
    },
  }),
  defineTool({
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks the user with a form that has defaults.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      const answer = await context.ask('profile', {
        message: 'Please review your profile',
        schema: DEFAULTS,
      });
      return `Elicitation completed: ${JSON.stringify(answer)}`;
    },
  }),
  defineTool({
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks the user with every kind of choice.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      const answer = await context.ask('choices', { message: 'Please choose', schema: ENUMS });
      return `Elicitation completed: ${JSON.stringify(answer)}`;
    },
  }),
  defineTool({
    name: 'test_streaming_elicitation',
    description: 'Reports progress, then asks the user.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      await context.progress(1, 2, 'About to ask');
      const answer = await context.ask('confirm', { message: 'Go on?', schema: CONFIRMATION });
      return `The user said: ${answer.action}`;
    },
  }),
  defineTool({
    name: 'test_input_required_result_elicitation',
    description: 'Asks the user for a name.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      const answer = await context.ask('user_name', { message: 'What is your name?', schema: NAME });
      return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : 'Hello, whoever you are!';
    },
  }),
  defineTool({
    name: 'test_input_required_result_sampling',
    description: 'Requests sampling: asks the model for a capital.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      const question = { type: 'text', text: 'What is the capital of France?' } as const;
      const answer = await context.askModel('capital_question', {
        messages: [{ role: 'user', content: question }],
        maxTokens: 100,
      });
      return textOf(answer);
    },
  }),
  defineTool({
    name: 'test_input_required_result_list_roots',
    description: 'Requests the roots of the client.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      const roots = await context.askRoots('client_roots');
      return `Roots: ${roots.map(({ uri }) => uri).join(', ')}`;
    },
  }),
];
