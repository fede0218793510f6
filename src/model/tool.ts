import type { BaseModelOptions } from './base-model.ts';
import { GroupItem } from './group-item.ts';
import type { McpInputSchema, McpJsonSchema } from './mcp-types.ts';
import type { ToolAnnotations } from './tool-annotations.ts';

/** Options of {@link Tool}. */
export interface ToolOptions extends BaseModelOptions {
  readonly inputSchema: McpInputSchema;
  readonly outputSchema?: McpJsonSchema | undefined;
  readonly annotations?: ToolAnnotations | undefined;
}

/**
 * A function that a model can call, without its handler.
 *
 * @example
 * const tool = new Tool({
 *   name: 'list',
 *   inputSchema: { type: 'object' },
 *   annotations: new ToolAnnotations({ readOnlyHint: true }),
 * });
 */
export class Tool extends GroupItem {
  override readonly kind = 'tool' as const;
  inputSchema: McpInputSchema;
  outputSchema: McpJsonSchema | undefined;
  annotations: ToolAnnotations | undefined;

  constructor(options: ToolOptions) {
    super(options);
    this.inputSchema = options.inputSchema;
    this.outputSchema = options.outputSchema;
    this.annotations = options.annotations;
  }
}
