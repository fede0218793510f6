import {
  ANY,
  assertOptions,
  isJsonObject,
  isListOf,
  MIDDLEWARE,
  STRING,
  STRINGS,
} from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { isIcon } from '../../format/block-members.ts';
import type { McpIcon, McpMeta } from '../../model/mcp-types.ts';

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

const MEMBERS: Rules = {
  name: ANY,
  timeoutMs: ANY,
  title: STRING,
  description: STRING,
  icons: [isListOf(isIcon), 'an array of objects with a src'],
  _meta: [isJsonObject, 'an object that JSON can carry'],
  tags: STRINGS,
  scopes: STRINGS,
  middleware: MIDDLEWARE,
};

/**
 * Rejects members that are wrong, and unknown ones: misspelt scopes would protect nothing. Types say the same; this is for JavaScript and
 * for data from outside.
 */
export function assertComponent(definition: object, rules: Rules, owner: string): void {
  assertOptions(owner, definition, { ...MEMBERS, ...rules });
}
