import type { BaseModelOptions } from './base-model.ts';
import { GroupItem } from './group-item.ts';
import type { McpAnnotations } from './mcp-types.ts';

/** Options of {@link Resource}. */
export interface ResourceOptions extends BaseModelOptions {
  readonly uri: string;
  readonly size?: number | undefined;
  readonly mimeType?: string | undefined;
  readonly annotations?: McpAnnotations | undefined;
}

/**
 * Data that a client can read.
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

  /** Size in bytes, before any encoding. */
  size: number | undefined;
  mimeType: string | undefined;

  /** Audience, priority and last modification. */
  annotations: McpAnnotations | undefined;

  constructor(options: ResourceOptions) {
    super(options);
    this.uri = options.uri;
    this.size = options.size;
    this.mimeType = options.mimeType;
    this.annotations = options.annotations;
  }

  /** Includes the URI, which identifies a resource. */
  override describe(): string {
    return `${super.describe()} <${this.uri}>`;
  }
}
