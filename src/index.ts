// `toolwright`: the names that most servers need, and every type that they return, so that the declaration files of a user's project can
// name them. The other entries are beside this file. Every export here is public API and runs without Node.

// Defining tools
export { defineTool, defineToolFor } from './tools/define-tool.ts';
export { defineTools, defineToolsFor } from './tools/define-tools.ts';
export type { ToolTable } from './tools/define-tools.ts';
export { tool, toolFor, toolsFrom } from './tools/decorators.ts';
export type { ToolDecorator, ToolMethod, ToolOptions } from './tools/decorators.ts';
export { error, required, success, toonSuccess } from './tools/response.ts';
export type { ErrorResponse, SuccessResponse, ToolResponse } from './format/tool-response.ts';
export type { AnyToolDefinition, HandlerCall, HandlerReturn, ResolverCall } from './tools/tool-definition.ts';
export type { StructuredResult, ToolDefinition, ToolDefinitionBase } from './tools/tool-definition.ts';
export type { ToolMetadata, ToolSecurity } from './tools/tool-definition.ts';

// Grouped tools
export { createTool, GroupedToolBuilder } from './tools/grouped/grouped-tool-builder.ts';
export type {
  ExecuteOptions,
  GroupConfigurator,
  GroupedToolOptions,
} from './tools/grouped/grouped-tool-builder.ts';
export { ActionGroupBuilder } from './tools/grouped/action-group-builder.ts';
export { defineActionGroup, defineActionGroupFor } from './tools/grouped/define-grouped-tool.ts';
export { defineGroupedTool, defineGroupedToolFor } from './tools/grouped/define-grouped-tool.ts';
export type {
  ActionGroupConfig,
  ActionGroupDefiner,
  GroupedToolDefiner,
} from './tools/grouped/define-grouped-tool.ts';
export type {
  ActionDefinition,
  ActionDefinitionBase,
  NoFields,
} from './tools/grouped/action/action-definition.ts';
export type { ActionMetadata } from './tools/grouped/standalone-tool.ts';

// Middleware
export { allowRepeatedNext, defineMiddleware, defineMiddlewareFor } from './middleware/middleware.ts';
export { combineMiddleware } from './middleware/combine-middleware.ts';
export type { Middleware, MiddlewareCall, MiddlewareReturn, Next } from './middleware/middleware.ts';
export { answer } from './middleware/passed.ts';
export type { Answered, Passed } from './middleware/passed.ts';

// Schemas
export { jsonSchema } from './schema/nodes/schema-types.ts';
export type { InferSchemaInput, InferSchemaOutput, JsonSchema } from './schema/nodes/schema-types.ts';
export type { Schema, StandardSchema } from './schema/nodes/schema-types.ts';
export type { UnknownArguments } from './schema/issues/unknown-keys.ts';

// The registry
export { ToolRegistry } from './registry/tool-registry.ts';
export type { ListedTool } from './registry/tool-registry.ts';
export type { MountOptions } from './tools/components/component-tree.ts';
export { CATEGORY_META_KEY } from './tools/compile/compile-tool.ts';
export { REGISTRY_DEFAULTS } from './tools/compile/tool-settings.ts';
export type { ToolSettingsOptions } from './tools/compile/settings-options.ts';
export type { ToolRegistryOptions } from './registry/registry-options.ts';
export type { AttachOptions, DetachFn } from './registry/attach-to-server.ts';
export type { ChangeListener, RegistryChange } from './tools/components/registry-change.ts';
export type { SdkAuthInfo } from './registry/sdk-server.ts';
export type { ToolFilter } from './registry/tool-filter.ts';
export type { RegisterOptions } from './registry/tool-registry.ts';

// Exposure and policy
export type { ToolSurface } from './registry/surface.ts';
export type { Exposure, SearchToolNames, SurfaceOptions } from './registry/exposure/exposure.ts';
export { estimateTokens } from './registry/exposure/estimate-tokens.ts';
export type { SchemaProfile } from './schema/profiles/schema-profile.ts';
export type { CallerConditions } from './pipeline/tool/caller-rules.ts';
export type { CallerRule, PolicyRules, SubjectRules } from './pipeline/tool/policy-rules.ts';

// Calls
export type { PolicySubject, Principal, ProgressUpdate } from './middleware/context.ts';
export type { StandardContext, ToolContext } from './middleware/context.ts';
export type { ToolCall } from './pipeline/context/call.ts';
export type { ToolReply } from './pipeline/reply/tool-reply.ts';
export type { Caller, Policy } from './pipeline/tool/policy.ts';

export type { CacheHelpers } from './stores/cache-helpers.ts';
export type { CallerState, HandleOptions, StateOptions } from './stores/state/caller-state.ts';
export { createLogger, silentLogger } from './errors/logger.ts';
export type { LogFields, Logger, LoggerOptions, LogLevel } from './errors/logger.ts';

// Errors
export { ERROR_META_KEY } from './errors/error-handler.ts';
export type { ErrorDetails } from './errors/error-handler.ts';
export { ERROR_CODES } from './errors/codes.ts';
export type { ErrorCode, ErrorFate } from './errors/codes.ts';
export { CallRefusedError, DefaultArgumentResolutionError } from './errors/errors.ts';
export { DefinitionError, DuplicateNameError } from './errors/errors.ts';
export type { Finding, FindingReason } from './errors/finding.ts';
export {
  MissingPeerError,
  SchemaError,
  ToolError,
  ToolwrightError,
  ValidationError,
} from './errors/errors.ts';
export { formatIssue, formatPath } from './errors/issue.ts';
export type { Issue } from './errors/issue.ts';

// Protocol types that you receive or that a handler returns; their parts are in `toolwright/model`
export type { McpCallToolResult, McpContentBlock, McpTool } from './model/mcp-types.ts';
export type { McpGetPromptResult, McpPrompt, McpPromptMessage } from './model/mcp-types.ts';
export type { McpReadResourceResult, McpResource, McpResourceTemplate } from './model/mcp-types.ts';
export type { McpCompletion } from './model/mcp-types.ts';

// Prompts
export { definePrompt, definePromptFor } from './prompts/define-prompt.ts';
export { PromptsManager } from './prompts/prompts-manager.ts';
export type { PromptsManagerOptions } from './prompts/prompts-manager.ts';
export type {
  AnyPromptDefinition,
  PromptArgumentDefinition,
  PromptBody,
} from './prompts/prompt-definition.ts';
export type { PromptDefinition, PromptDefinitionBase, PromptInput } from './prompts/prompt-definition.ts';
export type { PromptReturn, SchemaPromptDefinition } from './prompts/prompt-definition.ts';
export type { Completer, Completers, CompletionCall } from './prompts/completion.ts';
export type { CompletionRequest, CompletionReturn } from './prompts/completion.ts';

// Resources
export { defineResource, defineResourceFor } from './resources/define-resource.ts';
export { defineResourceTemplate, defineResourceTemplateFor } from './resources/define-resource.ts';
export { ResourcesManager } from './resources/resources-manager.ts';
export type { ReadCall, ResourcesManagerOptions } from './resources/resources-manager.ts';
export type {
  AnyResourceDefinition,
  AnyResourceTemplateDefinition,
} from './resources/resource-definition.ts';
export type { ResourceCacheHint, ResourceCall, ResourceContent } from './resources/resource-definition.ts';
export type { ResourceDefinition, ResourceDefinitionBase } from './resources/resource-definition.ts';
export type {
  ResourceReturn,
  ResourceSource,
  ResourceTemplateCall,
} from './resources/resource-definition.ts';
export type { ResourceTemplateDefinition } from './resources/resource-definition.ts';
export type { OptionalVariable, TemplateVariable } from './resources/uri-template.ts';

// Shared by prompts and resources
export type { ComponentReply } from './pipeline/component-reply.ts';
export type { ComponentDefinition } from './tools/components/component-definition.ts';
export type { WireItem } from './tools/components/component-list.ts';

// Servers
export { createServer, ToolwrightServer } from './server/create-server.ts';
export { SERVER_DEFAULTS } from './server/server-options.ts';
export { KeyRing } from './stores/sealing/key-ring.ts';
export type { ServerOptions } from './server/server-options.ts';
export type { ToolFunction, UnnamedTool } from './server/unnamed-tool.ts';
export type { ServerDescription } from './wire/served/introduction.ts';
export type { ServerLimits } from './wire/served/served.ts';
export type { CacheableMethod, CacheHint } from './wire/services/services.ts';
export { connectInMemory } from './transport/memory/connect-in-memory.ts';
export type { MemoryTransport } from './transport/memory/connect-in-memory.ts';
export type { TaskOptions, TaskSupport } from './tools/tool-definition.ts';

// Elicitation, sampling and other requests to the client
export { InputPendingError, MissingCapabilityError } from './errors/errors.ts';
export type {
  Answer,
  Ask,
  ClientCapabilities,
  ClientDescription,
  FormQuestion,
  McpLogLevel,
  ModelAnswer,
  ModelQuestion,
  Root,
  SamplingMessage,
  UrlAnswer,
  UrlQuestion,
} from './middleware/dialogue.ts';
