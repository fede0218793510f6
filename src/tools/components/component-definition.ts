import {
  ANY,
  assertOptions,
  isJsonObject,
  isListOf,
  MIDDLEWARE,
  SCOPES,
  STRING,
  STRINGS,
} from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { isIcon } from '../../format/block-members.ts';
import type { McpIcon, McpMeta } from '../../model/mcp-types.ts';

/** Members that the definitions of prompts and resources share. */
export interface ComponentDefinition {
  /** Name of the prompt or resource. */
  readonly name: string;
  /** Display name for users. Default: the name. */
  readonly title?: string;
  /** Purpose, for users and models. */
  readonly description?: string;
  /** Icons that clients may show. */
  readonly icons?: readonly McpIcon[];
  /** Protocol metadata, sent to clients unchanged. */
  readonly _meta?: McpMeta;
  /** Tags that policies and filters select it by. */
  readonly tags?: readonly string[];
  /** Scopes that a caller must have, all of them; to other callers it is unknown. */
  readonly scopes?: readonly string[];
  /** Timeout in milliseconds. Default: the manager's `timeoutMs`. */
  readonly timeoutMs?: number;
}

const MEMBERS: Rules = {
  name: ANY,
  timeoutMs: ANY,
  title: STRING,
  description: STRING,
  icons: [isListOf(isIcon), 'an array of objects with a src'],
  _meta: [isJsonObject, 'an object that JSON can represent'],
  tags: STRINGS,
  scopes: SCOPES,
  middleware: MIDDLEWARE,
};

/**
 * Rejects invalid and unknown members: misspelt scopes would protect nothing. The types do the same; this is for
 * JavaScript and for data from outside.
 */
export function assertComponent(definition: object, rules: Rules, owner: string): void {
  assertOptions(owner, definition, { ...MEMBERS, ...rules });
}
