/**
 * `toolwright/model`: protocol-independent classes for tools, prompts and resources, and converters to and from
 * MCP; needs no Node.
 */

// The model
export { BaseModel } from './model/base-model.ts';
export type { BaseModelOptions, ModelKind } from './model/base-model.ts';
export { Group } from './model/group.ts';
export type { GroupOptions } from './model/group.ts';
export { GroupItem } from './model/group-item.ts';
export type { GroupNode } from './model/group-item.ts';
export { Tool } from './model/tool.ts';
export type { ToolOptions as ToolModelOptions } from './model/tool.ts';
export { ToolAnnotations } from './model/tool-annotations.ts';
export type { ToolAnnotationsOptions } from './model/tool-annotations.ts';
export { Prompt } from './model/prompt.ts';
export type { PromptOptions } from './model/prompt.ts';
export { PromptArgument } from './model/prompt-argument.ts';
export type { PromptArgumentOptions } from './model/prompt-argument.ts';
export { Resource } from './model/resource.ts';
export type { ResourceOptions } from './model/resource.ts';
export { ModelError } from './model/model-error.ts';
export type { ModelErrorCode } from './model/model-error.ts';

// From a tree back to a registry
export type { FromGroupOptions } from './registry/tool-registry.ts';

// Converters between the model and other shapes
export { ConverterBase } from './model/converters/converter-base.ts';
export type { Batch } from './model/converters/converter-base.ts';
export { ToolConverterBase } from './model/converters/tool-converter-base.ts';
export { GroupConverterBase } from './model/converters/group-converter-base.ts';
export { PromptConverterBase } from './model/converters/prompt-converter-base.ts';
export { ResourceConverterBase } from './model/converters/resource-converter-base.ts';
export { ToolAnnotationsConverterBase } from './model/converters/tool-annotations-converter-base.ts';
export { McpToolConverter } from './model/converters/mcp/mcp-tool-converter.ts';
export { McpGroupConverter } from './model/converters/mcp/mcp-group-converter.ts';
export { McpPromptConverter } from './model/converters/mcp/mcp-prompt-converter.ts';
export { McpResourceConverter } from './model/converters/mcp/mcp-resource-converter.ts';
export { McpToolAnnotationsConverter } from './model/converters/mcp/mcp-tool-annotations-converter.ts';

// Parts of the protocol's types. The types that a registry returns (`McpTool`, `McpCallToolResult` and others) are
// in the root entry.
export type { InputRequest } from './model/mcp-types.ts';
export type { McpAnnotations, McpIcon, McpMeta, McpRole } from './model/mcp-types.ts';
export type { McpAudioContent, McpImageContent, McpTextContent } from './model/mcp-types.ts';
export type { McpEmbeddedResource, McpResourceContents, McpResourceLink } from './model/mcp-types.ts';
export type { McpGroup, McpPromptArgument, McpToolAnnotations } from './model/mcp-types.ts';
export type { McpInputSchema, McpJsonSchema } from './model/mcp-types.ts';
