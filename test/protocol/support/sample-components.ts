import { definePrompt, defineResource, defineResourceTemplate } from '../../../src/index.ts';
import type { AnyPromptDefinition, AnyResourceDefinition } from '../../../src/index.ts';
import { nameForm } from './sample-tools.ts';

export function samplePrompts(): AnyPromptDefinition[] {
  return [
    definePrompt({
      name: 'review',
      description: 'Reviews code',
      arguments: [{ name: 'code', required: true }, { name: 'style' }],
      complete: {
        style: (value, { arguments: given }) =>
          ['short', 'strict', `for ${given['code'] ?? 'nothing'}`].filter((style) => style.startsWith(value)),
        code: () => Array.from({ length: 150 }, (_, index) => `line ${index}`),
      },
      template: 'Review {{code}}.',
    }),
    definePrompt({
      name: 'ask_first',
      description: 'Asks for a name',
      handler: async ({ context }) => {
        const answer = await context.ask('user_name', { message: 'Who are you?', schema: nameForm });
        return answer.action === 'accept' ? `I am ${answer.content.name}.` : answer.action;
      },
    }),
    definePrompt({
      name: 'broken',
      description: 'Throws',
      handler: () => {
        throw new Error('internal detail');
      },
    }),
  ];
}

export function sampleResources(): AnyResourceDefinition[] {
  return [
    defineResource({ uri: 'docs://manual', name: 'manual', text: 'Turn it off and on again.' }),
    defineResource({
      uri: 'docs://logo',
      name: 'logo',
      mimeType: 'image/png',
      blob: 'iVBORw0KGgo=',
      cacheHint: { ttlMs: 60_000, scope: 'public' },
    }),
    defineResource({
      uri: 'docs://personal',
      name: 'personal',
      cacheHint: { ttlMs: 60_000, scope: 'public' },
      contentProvider: async ({ context }) => {
        const answer = await context.ask('user_name', { message: 'Who are you?', schema: nameForm });
        return answer.action === 'accept' ? `For ${answer.content.name}.` : answer.action;
      },
    }),
    defineResourceTemplate({
      uriTemplate: 'notes://{id}',
      name: 'note',
      complete: { id: ['1', '12', '2'] },
      contentProvider: ({ variables }) => (variables.id === 'none' ? null : `Note ${variables.id}`),
    }),
  ];
}
