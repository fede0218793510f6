import { definePrompt } from 'toolwright';
import type { AnyPromptDefinition } from 'toolwright';
import * as z from 'zod';
import { PIXEL_PNG } from './media.ts';

/** A prompt of each kind. */
export const prompts: readonly AnyPromptDefinition[] = [
  definePrompt({
    name: 'test_simple_prompt',
    description: 'A prompt without arguments.',
    template: 'This is a simple prompt for testing.',
  }),
  definePrompt({
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments.',
    arguments: [
      { name: 'arg1', description: 'The first argument', required: true },
      { name: 'arg2', description: 'The second argument', required: true },
    ],
    complete: { arg1: ['test', 'testing', 'tested'] },
    template: "Prompt with arguments: arg1='{{arg1}}', arg2='{{arg2}}'",
  }),
  definePrompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt that holds a resource.',
    arguments: [{ name: 'resourceUri', description: 'The URI of the resource', required: true }],
    handler: ({ input }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: {
            uri: input.resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
      },
      { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
    ],
  }),
  definePrompt({
    name: 'test_prompt_with_image',
    description: 'A prompt that holds an image.',
    handler: () => [
      { role: 'user', content: { type: 'image', data: PIXEL_PNG, mimeType: 'image/png' } },
      { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
    ],
  }),
  definePrompt({
    name: 'test_input_required_result_prompt',
    description: 'A prompt that asks the user first.',
    handler: async ({ context }) => {
      const answer = await context.ask('user_context', {
        message: 'What context should the prompt use?',
        schema: z.object({ context: z.string() }),
      });
      return `Use this context: ${answer.action === 'accept' ? answer.content.context : 'none'}`;
    },
  }),
];
