import { assertKnown } from '../../errors/assert-known.ts';
import { isIcon } from '../../format/block-members.ts';
import type { McpIcon, McpMeta } from '../../model/mcp-types.ts';
import { assertEach, isJsonObject, isListOf, isText } from '../compile/member-checks.ts';
import type { MemberRule } from '../compile/member-checks.ts';

/** What the definitions of prompts and resources have in common. */
export interface ComponentDefinition {
  /** The name of the prompt or resource. */
  readonly name: string;
  /** The name people see. Default: the name. */
  readonly title?: string;
  /** Tells people and models what it is for. */
  readonly description?: string;
  /** Pictures that clients may show beside it. */
  readonly icons?: readonly McpIcon[];
  /** Metadata of the protocol, sent to clients as it is. */
  readonly _meta?: McpMeta;
  /** Words that policies and filters select it by. */
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
