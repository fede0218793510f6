import { cloneJson } from '../model/converters/mcp/json.ts';
import { copyAnnotations, copyIcons, toWireObject } from '../model/converters/mcp/wire-object.ts';
import type { McpResourceTemplate } from '../model/mcp-types.ts';
import type { CompiledTool } from '../pipeline/tool/compiled-tool.ts';
import { compileCompleters } from '../prompts/compile-completers.ts';
import type { CompletableEntry } from '../prompts/compile-completers.ts';
import { deepFreeze } from '../base/json/deep-freeze.ts';
import { compileComponent } from '../tools/components/compile-component.ts';
import type { BareComponent } from '../tools/components/component-unit.ts';
import { toCacheHint, writeProvided } from './compile-resource.ts';
import type { ReadableEntry, ReadInput, ResourceParts } from './compile-resource.ts';
import type { AnyResourceTemplateDefinition } from './resource-definition.ts';
import { parseUriTemplate } from './uri-template.ts';
import type { UriTemplate } from './uri-template.ts';

/** A compiled resource template. */
export interface TemplateEntry extends ReadableEntry, CompletableEntry {
  readonly listed: McpResourceTemplate;
  readonly template: UriTemplate;
}

/** Compiles a validated resource template. */
export function compileResourceTemplate(
  definition: AnyResourceTemplateDefinition<never>,
  { settings, input }: ResourceParts,
): BareComponent<TemplateEntry> {
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
  const writeFor = writeProvided(mimeType, settings.collaborators.maxResultBytes);
  const parts = { key, json, listed, template, cacheHint, writeFor };
  return (middleware) => ({ ...parts, tool: surround(middleware), completers: completers(middleware) });
}
