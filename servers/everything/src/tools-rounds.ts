import { defineTool } from 'toolwright';
import type { AnyToolDefinition } from 'toolwright';
import * as z from 'zod';
import { COLOR, CONFIRMATION, NAME, textOf } from './questions.ts';

const NOTHING = z.object({});

/** Tools with several rounds of elicitation, or with state between rounds. */
export const roundsTools: readonly AnyToolDefinition[] = [
  defineTool({
    name: 'test_input_required_result_request_state',
    description: 'Keeps state until the user has responded.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      const remembered = await context.step('remember', () => 'state-ok');
      await context.ask('confirm', { message: 'Please confirm', schema: CONFIRMATION });
      return remembered;
    },
  }),
  defineTool({
    name: 'test_input_required_result_tampered_state',
    description: 'Keeps tamper-proof state until the user has responded.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      const remembered = await context.step('remember', () => 'state-ok');
      await context.ask('confirm', { message: 'Please confirm', schema: CONFIRMATION });
      return remembered;
    },
  }),
  defineTool({
    name: 'test_input_required_result_multiple_inputs',
    description: 'Requests elicitation, sampling and roots at once.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      const [user, greeting, roots] = await Promise.all([
        context.ask('user_name', { message: 'What is your name?', schema: NAME }),
        context.askModel('greeting', {
          messages: [{ role: 'user', content: { type: 'text', text: 'Generate a greeting' } }],
          maxTokens: 50,
        }),
        context.askRoots('client_roots'),
      ]);
      return `${user.action}: ${textOf(greeting)} (${roots.length} roots)`;
    },
  }),
  defineTool({
    name: 'test_input_required_result_multi_round',
    description: 'Asks the user twice, one elicitation after the other.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      const first = await context.ask('step1', { message: 'Step 1: What is your name?', schema: NAME });
      if (first.action !== 'accept') return 'Stopped at step 1.';
      const second = await context.ask('step2', {
        message: 'Step 2: What is your favorite color?',
        schema: COLOR,
      });
      if (second.action !== 'accept') return 'Stopped at step 2.';
      return `${first.content.name} likes ${second.content.color}.`;
    },
  }),
  defineTool({
    name: 'test_input_required_result_capabilities',
    description: 'Requests elicitation or sampling, whichever the client supports.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      const { capabilities } = context.client;
      if (capabilities.elicitation !== undefined) {
        const answer = await context.ask('user_name', { message: 'What is your name?', schema: NAME });
        return `The user said: ${answer.action}`;
      }
      if (capabilities.sampling === undefined) return 'There is nobody to ask.';
      const answer = await context.askModel('name', {
        messages: [{ role: 'user', content: { type: 'text', text: 'What is your name?' } }],
        maxTokens: 50,
      });
      return `The model said: ${textOf(answer)}`;
    },
  }),
];
