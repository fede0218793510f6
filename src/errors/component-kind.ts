/** What can be called beside tools. */
export type OtherKind = 'prompt' | 'resource';

const NOUNS = { tool: 'Tool', prompt: 'Prompt', resource: 'Resource' } as const;

/** The word for something that was called, as a sentence begins with it. Where no kind is said, it is a tool. */
export function nounOf(kind: OtherKind | undefined): 'Tool' | 'Prompt' | 'Resource' {
  return NOUNS[kind ?? 'tool'];
}
