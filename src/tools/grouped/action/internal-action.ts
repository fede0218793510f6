import type { SchemaNode } from '../../../schema/nodes/json-node.ts';

/** One action as the strategies see it: plain data, nothing that runs. */
export interface InternalAction {
  /** What the discriminator says: `create`, or `users.create` inside a group. */
  readonly key: string;
  /** The last part of the key. */
  readonly actionName: string;
  readonly groupName?: string | undefined;
  /** What the actions of its group have in common, in words. */
  readonly groupDescription?: string | undefined;
  readonly description?: string | undefined;
  /** What the action accepts, common and own fields together, without the discriminator. */
  readonly inputSchema: SchemaNode;
  /** What the action answers with; undefined when it does not say. */
  readonly outputSchema?: SchemaNode | undefined;
  /** The fields of this action that come from a common schema. */
  readonly commonFields: readonly string[];
  readonly destructive?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
  readonly idempotent?: boolean | undefined;
  /** Arguments as somebody would send them, without the discriminator. */
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}
