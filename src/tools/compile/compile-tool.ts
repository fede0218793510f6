import { about, DefinitionError } from '../../errors/errors.ts';
import { withLogFields } from '../../errors/log-fields.ts';
import { didYouMean } from '../../errors/nearest-names.ts';
import { McpToolConverter } from '../../model/converters/mcp/mcp-tool-converter.ts';
import { McpToolAnnotationsConverter } from '../../model/converters/mcp/mcp-tool-annotations-converter.ts';
import type { McpInputSchema, McpMeta, McpToolAnnotations } from '../../model/mcp-types.ts';
import { Tool } from '../../model/tool.ts';
import type { Chain } from '../../middleware/compile-chain.ts';
import { isObject } from '../../base/is-object.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import { STRINGS } from '../../errors/options/rules.ts';
import { hasScopes } from '../../pipeline/tool/policy.ts';
import type { PolicySubject } from '../../middleware/context.ts';
import type { CompiledTool, FindMissingScopes } from '../../pipeline/tool/compiled-tool.ts';
import { compileSchema } from '../../schema/checks/compile-schema.ts';
import type { CompiledSchema } from '../../schema/checks/compile-schema.ts';
import { assertHeaderArguments } from '../../schema/convert/header-arguments.ts';
import { deepFreeze } from '../../base/json/deep-freeze.ts';
import { parseSecretPaths } from '../../schema/issues/secret-paths.ts';
import type { AnyToolDefinition } from '../tool-definition.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import { advertise } from './advertise.ts';
import type { AdvertisedSchemas } from './advertise.ts';
import { compileTaskOptions } from './task-options.ts';
import { mergeAnnotations } from './merge-annotations.ts';
import { assertTimeout } from './tool-settings.ts';
import type { ToolSettings } from './tool-settings.ts';

/** The key under `_meta` where clients find a tool's category. */
export const CATEGORY_META_KEY = 'toolwright/category';

/** Wraps a handler in middleware. */
export type ChainOf = (handler: Chain, subject: PolicySubject) => Chain;

/** Names of an action of a grouped tool, for {@link compileTool}. */
export interface ActionIdentity {
  /** The name of the grouped tool. */
  readonly tool: string;
  /** Value of the discriminator. */
  readonly action: string;
  /** Name of the action in the flat exposure. */
  readonly flatName: string;
}

/** Options of {@link compileTool}. */
export interface CompileToolOptions {
  readonly settings: ToolSettings;
  readonly chainOf: ChainOf;
  readonly identity?: ActionIdentity;
  /** The same definition, compiled with other settings: unchanged schemas are not compiled again. */
  readonly before?: CompiledBefore | undefined;
}

/** A compiled entry and its settings. */
export interface CompiledBefore {
  readonly entry: CatalogEntry;
  readonly settings: ToolSettings;
}

/** Compiles a definition. All errors in a definition are found here. */
export function compileTool(definition: AnyToolDefinition<never>, options: CompileToolOptions): CatalogEntry {
  const { settings, chainOf, identity } = options;
  const before = hasSameSchemas(options) ? options.before?.entry : undefined;
  const annotations = mergeAnnotations(definition);
  const input = before?.tool.input ?? compileInput(definition, annotations, settings);
  assertArgumentNames(definition, input);
  const output = before === undefined ? compileOutput(definition, settings) : before.tool.output;
  const subject = toSubject(definition, annotations, options);
  const bare = { handler: definition.handler, preview: definition.preview };
  const tool: CompiledTool = {
    name: definition.name,
    server: settings.name,
    label: identity === undefined ? undefined : `${identity.tool}/${identity.action}`,
    operation: subject.operation,
    input,
    output,
    ...compose(bare, subject, chainOf),
    confirmIf: definition.confirmIf,
    resolveDefaults: definition.defaultArgumentResolver as CompiledTool['resolveDefaults'],
    resolvedArguments: [...(definition.resolvedArguments ?? [])],
    hasSecrets: (definition.secrets ?? []).length > 0,
    secure: settings.withSecurityWrapper(subject.namespace, subject.operation, input),
    invalidArguments: settings.invalidArguments,
    ...compileScopes(definition, subject, settings),
    timeoutMs: assertTimeout(definition.timeoutMs ?? settings.timeoutMs, `Tool "${definition.name}"`),
    task: compileTaskOptions(definition),
    structuredText: isUnannounced(identity, output)
      ? 'full'
      : (definition.structuredText ?? settings.structuredText),
    subject,
    log: withLogFields(settings.collaborators.logger, { tool: definition.name }),
    cache: settings.cache,
    collaborators: withOwnLimit(settings, definition.maxResultBytes),
  };
  if (before !== undefined) return { ...before, definition, tool };
  const model = toModel(definition, annotations, advertise(definition, { input, output }));
  const entry = toEntry(
    { definition, grouped: undefined, tool, bare },
    renameModel(model, identity?.flatName ?? definition.name),
  );
  if (input.isOrdinary !== true)
    about({ option: 'inputSchema' }, () =>
      assertHeaderArguments(input.jsonSchema, `Tool "${definition.name}"`, entry.json),
    );
  return entry;
}

/** Missing scopes hide a tool or challenge its calls; scopes of arguments always challenge, since the tool is listed. */
function compileScopes(
  { missingScopes, argumentScopes }: AnyToolDefinition<never>,
  { scopes }: PolicySubject,
  settings: ToolSettings,
): Pick<CompiledTool, 'isListedWithoutScopes' | 'findMissingScopes'> {
  const isListedWithoutScopes = (missingScopes ?? settings.missingScopes) === 'challenge';
  if (argumentScopes === undefined && (!isListedWithoutScopes || scopes.length === 0))
    return { isListedWithoutScopes, findMissingScopes: undefined };
  const scopesFor = (given: unknown): readonly string[] => {
    const extra =
      argumentScopes === undefined ? [] : readScopes(argumentScopes(isObject(given) ? given : {}));
    return extra.length === 0 ? scopes : [...new Set([...scopes, ...extra])];
  };
  const findMissingScopes: FindMissingScopes = (caller, given, sent = given) => {
    const needed = scopesFor(given);
    return hasScopes(needed, caller) ? undefined : [...new Set([...scopesFor(sent), ...needed])];
  };
  return { isListedWithoutScopes, findMissingScopes };
}

/** Rejects anything but an array of strings: a call must not run without the check of its scopes. */
function readScopes(returned: unknown): readonly string[] {
  if (STRINGS[0](returned)) return returned as readonly string[];
  // A rejection must not end the process.
  if (isPromiseLike(returned)) returned.then(undefined, () => {});
  throw new TypeError('argumentScopes must return an array of strings, synchronously.');
}

/** An explicit limit of the registry or server applies to every tool; the default limit does not. */
function withOwnLimit(
  { collaborators, shared }: ToolSettings,
  own: number | undefined,
): CompiledTool['collaborators'] {
  if (own === undefined) return collaborators;
  return { ...collaborators, maxResultBytes: Math.min(own, shared.maxResultBytes ?? own) };
}

function hasSameSchemas({ settings, before }: CompileToolOptions): boolean {
  return (
    before?.settings.unknownArguments === settings.unknownArguments &&
    before.settings.repairArguments === settings.repairArguments &&
    before.settings.shared.jsonSchemaCompiler === settings.shared.jsonSchemaCompiler
  );
}

function compose(
  { handler, preview }: CatalogEntry['bare'],
  subject: PolicySubject,
  chainOf: ChainOf,
): Pick<CompiledTool, 'handler' | 'preview'> {
  const around = (chain: Chain, what: PolicySubject): CompiledTool['handler'] =>
    chainOf(chain, what) as CompiledTool['handler'];
  return {
    handler: around(handler, subject),
    preview: preview === undefined ? undefined : around(preview, toPreviewSubject(subject)),
  };
}

/** Policy subject of a preview, for middleware: the same action, read-only. */
export function toPreviewSubject(subject: PolicySubject): PolicySubject {
  return Object.freeze({
    ...subject,
    isReadOnly: true,
    isDestructive: false,
    isIdempotent: true,
    isPreview: true,
  });
}

/** The same entry with other middleware. Later changes of the definition are not seen. */
export function recompose(entry: CatalogEntry, chainOf: ChainOf): CatalogEntry {
  const { tool, bare } = entry;
  return { ...entry, tool: { ...tool, ...compose(bare, tool.subject, chainOf) } };
}

/**
 * A grouped tool advertises only output schemas with an object root; without one, clients may drop structured
 * content, so the text must be complete.
 */
function isUnannounced(identity: ActionIdentity | undefined, output: CompiledSchema | undefined): boolean {
  return identity !== undefined && output !== undefined && output.jsonSchema['type'] !== 'object';
}

/** Copied and frozen, so that later changes of the definition do not affect the policy. */
function toSubject(
  definition: AnyToolDefinition<never>,
  annotations: McpToolAnnotations,
  { settings, identity }: CompileToolOptions,
): PolicySubject {
  return deepFreeze({
    name: definition.name,
    tool: identity?.tool ?? definition.name,
    action: identity?.action,
    tags: [...(definition.tags ?? [])],
    scopes: [...new Set(definition.scopes)],
    category: definition.category,
    namespace: definition.security?.namespace ?? settings.name,
    operation: definition.security?.operation ?? definition.name,
    isReadOnly: annotations.readOnlyHint === true,
    isDestructive: annotations.destructiveHint === true,
    isIdempotent: annotations.idempotentHint === true,
    ...(definition.secrets === undefined ? {} : { secrets: [...definition.secrets] }),
  });
}

/** Creates the entry of a tool under its advertised name. */
export function toEntry(
  parts: Pick<CatalogEntry, 'bare' | 'byCategory' | 'definition' | 'grouped' | 'tool'>,
  model: Tool,
): CatalogEntry {
  const listed = new McpToolConverter().convertFromTool(model);
  return { ...parts, model, listed: deepFreeze(listed), json: JSON.stringify(listed) };
}

/** A copy of the model under another name. */
export function renameModel(model: Tool, name: string): Tool {
  if (model.name === name) return model;
  const { title, description, inputSchema, outputSchema, annotations, icons, meta } = model;
  return new Tool({ name, title, description, inputSchema, outputSchema, annotations, icons, meta });
}

/** Only `destructiveHint: true` counts as destructive here; `readOnlyHint` is a hint to clients. */
function compileInput(
  definition: AnyToolDefinition<never>,
  annotations: McpToolAnnotations,
  settings: ToolSettings,
): CompiledSchema {
  const override = definition.metadata?.inputJsonSchema;
  return compileSchema(definition.inputSchema, {
    owner: `Tool "${definition.name}": the input schema`,
    side: 'input',
    unknownArguments: definition.unknownArguments ?? settings.unknownArguments,
    repair: (definition.repairArguments ?? settings.repairArguments) && annotations.destructiveHint !== true,
    secrets: definition.secrets ?? [],
    suppliedArguments: definition.resolvedArguments ?? [],
    slowPatterns: settings.slowPatterns,
    logger: settings.collaborators.logger,
    jsonSchemaCompiler: settings.jsonSchemaCompiler,
    ...(override === undefined ? {} : { override }),
  });
}

/** Rejects unknown names in lists of arguments: a misspelt secret would be logged. */
function assertArgumentNames(definition: AnyToolDefinition<never>, input: CompiledSchema): void {
  if (definition.resolvedArguments === undefined && definition.secrets === undefined) return;
  const named = {
    resolvedArguments: definition.resolvedArguments ?? [],
    secrets: parseSecretPaths(definition.secrets ?? []).map(([first = '']) => first),
  };
  for (const [list, names] of Object.entries(named)) {
    const stranger = names.find((name) => name !== '*' && !input.hasArgument(name));
    if (stranger === undefined) continue;
    const expected = Object.keys(input.jsonSchema['properties'] ?? {});
    const hint = didYouMean(stranger, expected);
    throw new DefinitionError(
      `Tool "${definition.name}": unknown argument "${stranger}" in ${list}.${hint}`,
      { option: list, expected, received: stranger },
    );
  }
}

function compileOutput(
  definition: AnyToolDefinition<never>,
  settings: ToolSettings,
): CompiledSchema | undefined {
  if (definition.outputSchema === undefined) return undefined;
  return compileSchema(definition.outputSchema, {
    owner: `Tool "${definition.name}": the output schema`,
    side: 'output',
    secrets: definition.secrets ?? [],
    slowPatterns: settings.slowPatterns,
    logger: settings.collaborators.logger,
    jsonSchemaCompiler: settings.jsonSchemaCompiler,
  });
}

function toModel(
  definition: AnyToolDefinition<never>,
  annotations: McpToolAnnotations,
  schemas: AdvertisedSchemas,
): Tool {
  const meta = toMeta(definition);
  const hasAnnotations = Object.keys(annotations).length > 0;
  return new Tool({
    name: definition.name,
    title: definition.title,
    description: definition.description,
    inputSchema: schemas.input as McpInputSchema,
    outputSchema: schemas.output,
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
