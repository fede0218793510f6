import { assertKnown } from '../../errors/assert-known.ts';
import { isIcon } from '../../format/block-members.ts';
import type { McpIcon, McpMeta } from '../../model/mcp-types.ts';
import { assertEach, isJsonObject, isListOf, isText } from '../compile/member-checks.ts';
import type { MemberRule } from '../compile/member-checks.ts';

/** What the definitions of prompts and resources have in common. */
export interface ComponentDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly McpIcon[];
  readonly _meta?: McpMeta;
  readonly tags?: readonly string[];
  /** What a caller must have been granted, all of it; to others it does not exist. */
  readonly scopes?: readonly string[];
  /** How long it may take. Default: the manager's `timeoutMs`. */
  readonly timeoutMs?: number;
}

const MEMBERS: readonly MemberRule[] = [
  ['title', isText, 'a string'],
  ['description', isText, 'a string'],
  ['icons', isListOf(isIcon), 'a list of objects with a src'],
  ['_meta', isJsonObject, 'an object that JSON can carry'],
  ['tags', isListOf(isText), 'a list of strings'],
  ['scopes', isListOf(isText), 'a list of strings'],
  [
    'middleware',
    isListOf((value) => typeof value === 'function'),
    'a list of functions: ({ context, next }) => next()',
  ],
];

/**
 * Refuses members that are wrong, and those that nobody reads: misspelt scopes would protect nothing. Types say the same; this is for
 * JavaScript and for data from outside.
 */
export function assertComponent(definition: object, rules: readonly MemberRule[], owner: string): void {
  const all = [...MEMBERS, ...rules];
  assertKnown(owner, definition, ['name', 'timeoutMs', ...all.map(([key]) => key)]);
  assertEach(definition, all, owner);
}
