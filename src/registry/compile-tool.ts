import { DefinitionError } from '../errors/errors.ts';
import type { LogFields, Logger } from '../errors/logger.ts';
import { findNearestNames } from '../errors/nearest-names.ts';
import { McpToolConverter } from '../model/converters/mcp/mcp-tool-converter.ts';
import { McpToolAnnotationsConverter } from '../model/converters/mcp/mcp-tool-annotations-converter.ts';
import type { McpInputSchema, McpMeta, McpTool, McpToolAnnotations } from '../model/mcp-types.ts';
import { Tool } from '../model/tool.ts';
import type { CompiledTool } from '../pipeline/compiled-tool.ts';
import { compileSchema } from '../schema/compile-schema.ts';
import type { CompiledSchema } from '../schema/compile-schema.ts';
import { deepFreeze } from '../schema/plain-json.ts';
import { parseSecretPaths } from '../schema/secret-paths.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';
import { mergeAnnotations } from './merge-annotations.ts';
import { assertTimeout } from './registry-options.ts';
import type { RegistrySettings } from './registry-options.ts';

/** The key under `_meta` where clients find a tool's category. */
export const CATEGORY_META_KEY = 'toolwright/category';

/** One tool as the registry keeps it: what was written, what is advertised, what runs. */
export interface CatalogEntry {
  readonly definition: AnyToolDefinition<never>;
  readonly model: Tool;
  /** The entry of `tools/list`; frozen. */
  readonly listed: McpTool;
  /** The same as JSON text, written once. */
  readonly json: string;
  readonly tool: CompiledTool;
}

/** Compiles a definition. Everything that can be wrong with it is found here. */
export function compileTool(definition: AnyToolDefinition<never>, settings: RegistrySettings): CatalogEntry {
  const annotations = mergeAnnotations(definition);
  const input = compileInput(definition, annotations, settings);
  assertArgumentNames(definition, input);
  const output = compileOutput(definition, settings);
  const model = toModel(definition, annotations, { input, output });
  const operation = definition.security?.operation ?? definition.name;
  const namespace = definition.security?.namespace ?? settings.name;
  const tool: CompiledTool = {
    name: definition.name,
    operation,
    input,
    output,
    handler: definition.handler as unknown as CompiledTool['handler'],
    resolveDefaults: definition.defaultArgumentResolver as CompiledTool['resolveDefaults'],
    resolvedArguments: [...(definition.resolvedArguments ?? [])],
    hasSecrets: (definition.secrets ?? []).length > 0,
    secure: settings.withSecurityWrapper(namespace, operation, input),
    timeoutMs: assertTimeout(definition.timeoutMs ?? settings.timeoutMs, `Tool "${definition.name}"`),
    structuredText: definition.structuredText ?? settings.structuredText,
    // Copied and frozen: what the policy decides on must not change when somebody changes the definition later.
    subject: deepFreeze({
      name: definition.name,
      tags: [...(definition.tags ?? [])],
      category: definition.category,
      namespace,
      operation,
      isReadOnly: annotations.readOnlyHint === true,
      isDestructive: annotations.destructiveHint === true,
    }),
    log: withToolName(settings.collaborators.logger, definition.name),
    cache: settings.cache,
    collaborators: settings.collaborators,
  };
  return toEntry(definition, model, tool);
}

/** The entry of a tool under its advertised name. */
export function toEntry(definition: AnyToolDefinition<never>, model: Tool, tool: CompiledTool): CatalogEntry {
  const listed = new McpToolConverter().convertFromTool(model);
  return { definition, model, listed: deepFreeze(listed), json: JSON.stringify(listed), tool };
}

/** `readOnlyHint` is a hint to clients; what is destructive for us is what the author calls so. */
function compileInput(
  definition: AnyToolDefinition<never>,
  annotations: McpToolAnnotations,
  settings: RegistrySettings,
): CompiledSchema {
  const override = definition.metadata?.inputJsonSchema;
  return compileSchema(definition.inputSchema, {
    owner: `Tool "${definition.name}": the input schema`,
    side: 'input',
    unknownArguments: definition.unknownArguments ?? settings.unknownArguments,
    repair: (definition.repairArguments ?? settings.repairArguments) && annotations.destructiveHint !== true,
    secrets: definition.secrets ?? [],
    suppliedArguments: definition.resolvedArguments ?? [],
    jsonSchemaCompiler: settings.jsonSchemaCompiler,
    ...(override === undefined ? {} : { override }),
  });
}

/** A typo in a list of arguments would go unnoticed until a secret is shown. */
function assertArgumentNames(definition: AnyToolDefinition<never>, input: CompiledSchema): void {
  const named = {
    resolvedArguments: definition.resolvedArguments ?? [],
    secrets: parseSecretPaths(definition.secrets ?? []).map(([first = '']) => first),
  };
  for (const [list, names] of Object.entries(named)) {
    const stranger = names.find((name) => name !== '*' && !input.hasArgument(name));
    if (stranger === undefined) continue;
    const [nearest] = findNearestNames(stranger, Object.keys(input.jsonSchema['properties'] ?? {}));
    const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    throw new DefinitionError(
      `Tool "${definition.name}": ${list} names "${stranger}", which is no argument of the tool.${hint}`,
    );
  }
}

function compileOutput(
  definition: AnyToolDefinition<never>,
  settings: RegistrySettings,
): CompiledSchema | undefined {
  if (definition.outputSchema === undefined) return undefined;
  return compileSchema(definition.outputSchema, {
    owner: `Tool "${definition.name}": the output schema`,
    side: 'output',
    secrets: definition.secrets ?? [],
    jsonSchemaCompiler: settings.jsonSchemaCompiler,
  });
}

interface CompiledSchemas {
  readonly input: CompiledSchema;
  readonly output: CompiledSchema | undefined;
}

function toModel(
  definition: AnyToolDefinition<never>,
  annotations: McpToolAnnotations,
  schemas: CompiledSchemas,
): Tool {
  const meta = toMeta(definition);
  const hasAnnotations = Object.keys(annotations).length > 0;
  return new Tool({
    name: definition.name,
    title: definition.title,
    description: definition.description,
    inputSchema: schemas.input.jsonSchema as McpInputSchema,
    outputSchema: schemas.output?.jsonSchema,
    annotations: hasAnnotations
      ? new McpToolAnnotationsConverter().convertToToolAnnotations(annotations)
      : undefined,
    icons: definition.icons === undefined ? undefined : [...definition.icons],
    meta: Object.keys(meta).length > 0 ? meta : undefined,
  });
}

function toMeta(definition: AnyToolDefinition<never>): McpMeta {
  return {
    ...definition._meta,
    ...(definition.category === undefined ? {} : { [CATEGORY_META_KEY]: definition.category }),
  };
}

/** A logger that names the tool on every entry. */
export function withToolName(logger: Logger, tool: string): Logger {
  const named = (fields: LogFields | undefined): LogFields => ({ tool, ...fields });
  return {
    debug: (message, fields) => logger.debug(message, named(fields)),
    info: (message, fields) => logger.info(message, named(fields)),
    warning: (message, fields) => logger.warning(message, named(fields)),
    error: (message, fields) => logger.error(message, named(fields)),
    ...(logger.isEnabled === undefined ? {} : { isEnabled: (level) => logger.isEnabled?.(level) ?? true }),
  };
}
