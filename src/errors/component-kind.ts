/** What can be called beside tools. */
export type OtherKind = 'prompt' | 'resource';

/** What can be called. */
export type ComponentKind = 'tool' | OtherKind;

const NOUNS = { tool: 'Tool', prompt: 'Prompt', resource: 'Resource' } as const;

/** The word for something that was called, as a sentence begins with it. Where no kind is said, it is a tool. */
export function nounOf(kind: ComponentKind | undefined): 'Tool' | 'Prompt' | 'Resource' {
  return NOUNS[kind ?? 'tool'];
}
