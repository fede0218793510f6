import { cloneJson } from '../model/converters/mcp/json.ts';
import { copyAnnotations, copyIcons, toWireObject } from '../model/converters/mcp/wire-object.ts';
import type { McpResourceTemplate } from '../model/mcp-types.ts';
import type { AnyMiddleware } from '../middleware/middleware.ts';
import type { CompiledTool } from '../pipeline/compiled-tool.ts';
import { compileCompleters } from '../prompts/compile-completers.ts';
import type { CompiledCompleters } from '../prompts/compile-completers.ts';
import { deepFreeze } from '../schema/plain-json.ts';
import { compileComponent } from '../tools/compile/compile-component.ts';
import type { BareEntry } from '../tools/components/component-list.ts';
import { toCacheHint, writeProvided } from './compile-resource.ts';
import type { ReadableEntry, ReadInput, ResourceParts } from './compile-resource.ts';
import type { AnyResourceTemplateDefinition } from './resource-definition.ts';
import { parseUriTemplate } from './uri-template.ts';
import type { UriTemplate } from './uri-template.ts';

/** A resource template as the manager keeps it. */
export interface TemplateEntry extends ReadableEntry {
  readonly listed: McpResourceTemplate;
  readonly template: UriTemplate;
  readonly completers: CompiledCompleters;
}

/** Compiles a resource template whose definition has been looked at. */
export function compileResourceTemplate(
  definition: AnyResourceTemplateDefinition<never>,
  { settings, input }: ResourceParts,
): BareEntry<TemplateEntry> {
  const { uriTemplate: key, name, title, description, mimeType, contentProvider } = definition;
  const template = parseUriTemplate(key, `Resource "${key}"`);
  const handler: CompiledTool['handler'] = ({ input: read, context }) => {
    const { uri, variables } = read as ReadInput;
    return contentProvider({ uri, variables: variables as never, context: context as never });
  };
  const surround = compileComponent({ kind: 'resource', key, definition, input, handler }, settings);
  const names = template.variables;
  const completers = compileCompleters({ kind: 'resource', key, definition, names }, settings);
  const listed = toWireObject<McpResourceTemplate>(
    {
      uriTemplate: key,
      name,
      title,
      description,
      mimeType,
      annotations: copyAnnotations(definition.annotations),
      icons: copyIcons(definition.icons),
      _meta: cloneJson(definition._meta),
    },
    {},
  );
  const json = JSON.stringify(listed);
  deepFreeze(listed);
  const cacheHint = toCacheHint(definition);
  const within = (middleware: readonly AnyMiddleware[]): TemplateEntry => {
    const tool = surround(middleware);
    const writeFor = writeProvided(tool, mimeType);
    return { key, json, listed, tool, template, completers: completers(middleware), cacheHint, writeFor };
  };
  return { key, within };
}
