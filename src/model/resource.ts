import type { BaseModelOptions } from './base-model.ts';
import { GroupItem } from './group-item.ts';
import type { McpAnnotations } from './mcp-types.ts';

/** What a resource can be created with. */
export interface ResourceOptions extends BaseModelOptions {
  readonly uri: string;
  readonly size?: number | undefined;
  readonly mimeType?: string | undefined;
  readonly annotations?: McpAnnotations | undefined;
}

/**
 * Something a client can read.
 *
 * @example
 * const log = new Resource({
 *   name: 'log',
 *   uri: 'file:///var/log/app.log',
 *   mimeType: 'text/plain',
 *   annotations: { audience: ['user'], priority: 0.2 },
 * });
 */
export class Resource extends GroupItem {
  override readonly kind = 'resource' as const;
  uri: string;

  /** In bytes, before any encoding. */
  size: number | undefined;
  mimeType: string | undefined;

  /** For whom it is, how important, how fresh. */
  annotations: McpAnnotations | undefined;

  constructor(options: ResourceOptions) {
    super(options);
    this.uri = options.uri;
    this.size = options.size;
    this.mimeType = options.mimeType;
    this.annotations = options.annotations;
  }

  /** Two resources are told apart by their URI, so messages show it. */
  override describe(): string {
    return `${super.describe()} <${this.uri}>`;
  }
}
