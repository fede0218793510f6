/** Kinds of components other than tools. */
export type OtherKind = 'prompt' | 'resource';

/** Kinds of components that a client can call. */
export type ComponentKind = 'tool' | OtherKind;

const NOUNS = { tool: 'Tool', prompt: 'Prompt', resource: 'Resource' } as const;

/** The capitalized noun for a component. Default: `Tool`. */
export function nounOf(kind: ComponentKind | undefined): 'Tool' | 'Prompt' | 'Resource' {
  return NOUNS[kind ?? 'tool'];
}
