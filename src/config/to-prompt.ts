import { DefinitionError } from '../errors/errors.ts';
import type { AnyPromptDefinition } from '../prompts/prompt-definition.ts';
import { compilePromptTemplate } from '../prompts/prompt-template.ts';
import type { PromptEntryConfig } from './file/config-types.ts';

/** Converts a prompt entry to a definition. Several messages become a handler that renders them. */
export function toPrompt(entry: PromptEntryConfig): AnyPromptDefinition {
  const { messages, ...rest } = entry;
  if (messages === undefined) return rest;
  if (rest.template !== undefined)
    throw new DefinitionError(`Prompt "${rest.name}": use either template or messages, not both.`, {
      option: 'messages',
    });
  const names = (rest.arguments ?? []).map(({ name }) => name);
  const rendered = messages.map(({ role, text }) => ({
    role,
    render: compilePromptTemplate(text, { owner: `Prompt "${rest.name}"`, names }),
  }));
  return {
    ...rest,
    handler: ({ input }: { input: object }) =>
      rendered.map(({ role, render }) => ({ role, content: { type: 'text' as const, text: render(input) } })),
  };
}
