import type { McpIcon, McpMeta } from './mcp-types.ts';

/** The kinds of model there are. */
export type ModelKind = 'group' | 'tool' | 'prompt' | 'prompt-argument' | 'resource';

/** What every model can be created with. The values are kept as given, not copied. */
export interface BaseModelOptions {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly meta?: McpMeta | undefined;
  readonly icons?: McpIcon[] | undefined;
  readonly extensions?: Record<string, unknown> | undefined;
}

/** What all parts of the model share: a name, and how to present it. */
export abstract class BaseModel {
  abstract readonly kind: ModelKind;

  /** Fixed for life, because groups look their children up by it. */
  readonly name: string;

  /** A name for people. */
  title: string | undefined;
  description: string | undefined;

  /** The protocol's `_meta`. */
  meta: McpMeta | undefined;
  icons: McpIcon[] | undefined;

  /** Members of the wire form that the model has no place for, kept so that converting back loses nothing. */
  extensions: Record<string, unknown>;

  constructor(options: BaseModelOptions) {
    this.name = options.name;
    this.title = options.title;
    this.description = options.description;
    this.meta = options.meta;
    this.icons = options.icons;
    this.extensions = options.extensions ?? {};
  }

  /** The name with the names of all groups above it; the bare name where there are none. */
  getFullyQualifiedName(): string {
    return this.name;
  }

  /** For messages: `tool "users.list" (List users)`. */
  describe(): string {
    const label = `${this.kind} "${this.getFullyQualifiedName()}"`;
    return this.title === undefined ? label : `${label} (${this.title})`;
  }
}
