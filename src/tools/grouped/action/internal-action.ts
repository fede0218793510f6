import type { SchemaNode } from '../../../schema/nodes/json-node.ts';

/** One action as plain data, for the strategies. */
export interface InternalAction {
  /** Value of the discriminator: `create`, or `users.create` inside a group. */
  readonly key: string;
  /** The last part of the key. */
  readonly actionName: string;
  /** The first part of the key, inside a group. */
  readonly groupName?: string | undefined;
  /** Description of its group. */
  readonly groupDescription?: string | undefined;
  readonly description?: string | undefined;
  /** Schema of the arguments: common and own fields, without the discriminator. */
  readonly inputSchema: SchemaNode;
  /** Schema of the result; undefined if the action declares none. */
  readonly outputSchema?: SchemaNode | undefined;
  /** Names of the fields that come from a common schema. */
  readonly commonFields: readonly string[];
  readonly destructive?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
  readonly idempotent?: boolean | undefined;
  /** Example arguments, without the discriminator. */
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}
