/**
 * `toolwright/strategies`: the pure functions that combine several actions into one tool, and their types; needs no
 * Node.
 */

// The strategies, each by itself
export {
  AnnotationAggregator,
  DescriptionGenerator,
  MiddlewareCompiler,
  SchemaGenerator,
  SchemaUtils,
  ToonDescriptionGenerator,
} from './tools/grouped/strategies/strategies.ts';
export { getGroupSummaries } from './tools/grouped/strategies/description-generator.ts';
export type { DescriptionSource } from './tools/grouped/strategies/description-generator.ts';
export type { InputSchemaSource } from './tools/grouped/strategies/schema-generator.ts';
export type { ActionField } from './tools/grouped/strategies/schema-utils.ts';
export type { ActionRow, ActionTable } from './tools/grouped/strategies/toon-description-generator.ts';
export type {
  MiddlewareCompilerInput,
  RunnableAction,
} from './tools/grouped/strategies/middleware-compiler.ts';
export type { InternalAction } from './tools/grouped/action/internal-action.ts';
export type { Chain } from './middleware/compile-chain.ts';

// All of them, for `createTool(name, { strategies })`
export { DEFAULT_STRATEGIES } from './tools/grouped/strategies/strategies.ts';
export type { GroupedToolStrategies } from './tools/grouped/strategies/strategies.ts';

// Servers that tools can be attached to
export type { McpServerLike, SdkHandler, SdkRequest } from './registry/sdk-server.ts';
