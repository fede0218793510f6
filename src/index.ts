// The public API, one name per line. Any new export added here becomes public API.

// Defining tools
export { defineTool, defineToolFor } from './tools/define-tool.ts';
export { tool, toolFor, toolsFrom } from './tools/decorators.ts';
export type { ToolDecorator, ToolMethod, ToolOptions } from './tools/decorators.ts';
export { error, required, success, toonSuccess } from './tools/response.ts';
export type { SuccessOptions } from './tools/response.ts';
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
export { defineActionGroup, defineGroupedTool } from './tools/grouped/define-grouped-tool.ts';
export type { ActionDefinition, ActionDefinitionBase } from './tools/grouped/action/action-definition.ts';
export type { ActionMetadata } from './tools/grouped/standalone-tool.ts';
export { DEFAULT_STRATEGIES } from './tools/grouped/strategies/strategies.ts';
export type { GroupedToolStrategies } from './tools/grouped/strategies/strategies.ts';
export type { InternalAction } from './tools/grouped/action/internal-action.ts';
export type { DescriptionSource } from './tools/grouped/strategies/description-generator.ts';
export type { InputSchemaSource } from './tools/grouped/strategies/schema-generator.ts';
export type {
  MiddlewareCompilerInput,
  RunnableAction,
} from './tools/grouped/strategies/middleware-compiler.ts';

// Middleware
export { allowRepeatedNext, defineMiddleware, defineMiddlewareFor } from './middleware/middleware.ts';
export { combineMiddleware } from './middleware/combine-middleware.ts';
export type { Chain } from './middleware/compile-chain.ts';
export type { Middleware, MiddlewareCall, MiddlewareReturn, Next } from './middleware/middleware.ts';
export { answer } from './middleware/passed.ts';
export type { Answered, Passed } from './middleware/passed.ts';

// Schemas
export { jsonSchema } from './schema/nodes/schema-types.ts';
export type { InferSchemaInput, InferSchemaOutput, JsonSchema } from './schema/nodes/schema-types.ts';
export type { Schema, StandardSchema } from './schema/nodes/schema-types.ts';
export type { CompiledSchema } from './schema/checks/compile-schema.ts';
export type { JsonSchemaCheck, JsonSchemaCompiler } from './schema/issues/json-schema-compiler.ts';
export type { PatternLimits } from './schema/expressions/bounded-expression.ts';
export type { UnknownArguments } from './schema/issues/unknown-keys.ts';
export type { Validated } from './schema/issues/validated.ts';

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
export type { PolicyRules, SubjectRules } from './pipeline/tool/policy-rules.ts';
export { MemoryConfirmationStore } from './stores/confirmation-store.ts';
export type { ConfirmationStore, MemoryConfirmationOptions } from './stores/confirmation-store.ts';

// One call
export type { PolicySubject, Principal, ProgressUpdate } from './middleware/context.ts';
export type { StandardContext, ToolContext } from './middleware/context.ts';
export type { ToolCall } from './pipeline/context/call.ts';
export type { ToolReply } from './pipeline/reply/tool-reply.ts';
export type { Caller, Policy } from './pipeline/tool/policy.ts';
export type { Outcome } from './pipeline/tool/outcome.ts';

// Collaborators, each replaceable
export { createSecurityWrapper, DEFAULT_RATE_LIMIT } from './pipeline/tool/secure.ts';
export type { RunTool, SecureCall, SecurityWrapper } from './pipeline/tool/secure.ts';
export type { SecurityWrapperOptions, WithSecurityWrapper } from './pipeline/tool/secure.ts';
export { ResponseFormatter, UnserializableError } from './format/response-formatter.ts';
export type { FormatOptions, ResponseFormatterLike } from './format/response-formatter.ts';
export type { ResponseFormatterOptions } from './format/response-formatter.ts';
export type { ErrorResponse, SuccessResponse, TextFormat, ToolResponse } from './format/tool-response.ts';
export { createCacheHelpers } from './stores/cache-helpers.ts';
export type { CacheHelpers, CacheTime } from './stores/cache-helpers.ts';
export { MemoryCacheStore } from './stores/cache-store.ts';
export type { CacheStore, MemoryCacheOptions } from './stores/cache-store.ts';
export { MemoryRateLimitStore } from './stores/rate-limit-store.ts';
export type {
  MemoryRateLimitOptions,
  RateDecision,
  RateLimit,
  RateLimitStore,
} from './stores/rate-limit-store.ts';
export { systemClock } from './base/time/clock.ts';
export type { Clock } from './base/time/clock.ts';
export { createLogger, silentLogger } from './errors/logger.ts';
export type { LogFields, Logger, LoggerOptions, LogLevel } from './errors/logger.ts';

// Errors
export { ERROR_META_KEY, ErrorHandler } from './errors/error-handler.ts';
export type { ErrorContext, ErrorDetails, ErrorHandlerLike } from './errors/error-handler.ts';
export type { ErrorHandlerOptions, ErrorParts, ErrorResult } from './errors/error-handler.ts';
export { ERROR_CODES } from './errors/codes.ts';
export type { ErrorCode, ErrorFate } from './errors/codes.ts';
export { CallRefusedError, DefaultArgumentResolutionError } from './errors/errors.ts';
export { DefinitionError, DuplicateNameError } from './errors/errors.ts';
export type { CallRefusedOptions, DuplicateClaim, ErrorDataOptions } from './errors/errors.ts';
export type { Finding, FindingData, FindingReason } from './errors/finding.ts';
export {
  MissingPeerError,
  SchemaError,
  ToolError,
  ToolwrightError,
  ValidationError,
} from './errors/errors.ts';
export type { ToolErrorOptions } from './errors/errors.ts';
export { formatIssue, formatPath } from './errors/issue.ts';
export type { Issue } from './errors/issue.ts';

// The domain model
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

// Shapes of the protocol
export type {
  McpAnnotations,
  McpAudioContent,
  McpCallToolResult,
  McpContentBlock,
} from './model/mcp-types.ts';
export type { McpEmbeddedResource, McpGroup, McpIcon, McpImageContent } from './model/mcp-types.ts';
export type {
  McpInputSchema,
  McpJsonSchema,
  McpMeta,
  McpPrompt,
  McpPromptArgument,
} from './model/mcp-types.ts';
export type { McpResource, McpResourceContents, McpResourceLink, McpRole } from './model/mcp-types.ts';
export type { McpTextContent, McpTool, McpToolAnnotations } from './model/mcp-types.ts';
export type { McpCompletion, McpGetPromptResult, McpPromptMessage } from './model/mcp-types.ts';
export type { McpReadResourceResult, McpResourceTemplate } from './model/mcp-types.ts';

// Prompts
export { definePrompt } from './prompts/define-prompt.ts';
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
export { defineResource, defineResourceTemplate } from './resources/define-resource.ts';
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

// What prompts and resources have in common
export type { ComponentReply } from './pipeline/component-reply.ts';
export type { ComponentDefinition } from './tools/components/component-definition.ts';
export type { WireItem } from './tools/components/component-list.ts';
export type { OtherKind } from './errors/component-kind.ts';

// Servers
export { createServer, ToolwrightServer } from './server/create-server.ts';
export { SERVER_DEFAULTS } from './server/server-options.ts';
export type { ServerOptions } from './server/server-options.ts';
export type { ToolFunction, UnnamedTool } from './server/unnamed-tool.ts';
export type { ServerDescription } from './wire/served/introduction.ts';
export type { ServerLimits } from './wire/served/served.ts';
export type { CacheableMethod, CacheHint } from './wire/services/services.ts';
export { connectInMemory } from './transport/memory/connect-in-memory.ts';
export type { MemoryTransport } from './transport/memory/connect-in-memory.ts';
export { MemoryEventBus } from './stores/event-bus.ts';
export type { EventBus, ServerEvent } from './stores/event-bus.ts';
export { MemoryEventStore } from './stores/event-store.ts';
export type { EventStore, MemoryEventStoreOptions, StoredEvent } from './stores/event-store.ts';
export { MemoryTaskStore } from './stores/task-store.ts';
export type { TaskRecord, TaskStatus, TaskStore } from './stores/task-store.ts';
export type { TaskOptions, TaskSupport } from './tools/tool-definition.ts';

// Talking to the client during a call
export { InputPendingError, MissingCapabilityError } from './errors/errors.ts';
export type { RequiredCapabilities } from './errors/errors.ts';
export type {
  Answer,
  Ask,
  ClientCapabilities,
  ClientDescription,
  Dialogue,
  FormQuestion,
  InputRequest,
  McpLogLevel,
  ModelAnswer,
  ModelQuestion,
  Question,
  Root,
  SamplingMessage,
  UrlAnswer,
  UrlQuestion,
} from './middleware/dialogue.ts';
