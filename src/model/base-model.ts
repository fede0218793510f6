import type { McpIcon, McpMeta } from './mcp-types.ts';

/** Kinds of model objects. */
export type ModelKind = 'group' | 'tool' | 'prompt' | 'prompt-argument' | 'resource';

/** Options of every model class. Values are kept as given, not copied. */
export interface BaseModelOptions {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly meta?: McpMeta | undefined;
  readonly icons?: McpIcon[] | undefined;
  readonly extensions?: Record<string, unknown> | undefined;
}

/** Base class of the model: a name, and its presentation. */
export abstract class BaseModel {
  abstract readonly kind: ModelKind;

  /** Cannot be changed, because groups look up their children by name. */
  readonly name: string;

  /** Display name for users. */
  title: string | undefined;
  description: string | undefined;

  /** The protocol's `_meta`. */
  meta: McpMeta | undefined;
  icons: McpIcon[] | undefined;

  /** Members of the MCP object that the model does not know, kept so that converting back loses nothing. */
  extensions: Record<string, unknown>;

  constructor(options: BaseModelOptions) {
    this.name = options.name;
    this.title = options.title;
    this.description = options.description;
    this.meta = options.meta;
    this.icons = options.icons;
    this.extensions = options.extensions ?? {};
  }

  /** The name, prefixed with the names of all groups above it. */
  getFullyQualifiedName(): string {
    return this.name;
  }

  /** Describes the object for messages: `tool "users.list" (List users)`. */
  describe(): string {
    const label = `${this.kind} "${this.getFullyQualifiedName()}"`;
    return this.title === undefined ? label : `${label} (${this.title})`;
  }
}
