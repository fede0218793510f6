import { JSON_RPC_INVALID_PARAMS } from '../errors/codes.ts';
import { DefinitionError } from '../errors/errors.ts';
import { McpResourceConverter } from '../model/converters/mcp/mcp-resource-converter.ts';
import type { McpReadResourceResult, McpResource } from '../model/mcp-types.ts';
import { Resource } from '../model/resource.ts';
import type { CompiledTool } from '../pipeline/tool/compiled-tool.ts';
import type { ComponentReply, Write } from '../pipeline/component-reply.ts';
import type { CompiledSchema } from '../schema/checks/compile-schema.ts';
import { definePlainSchema } from '../schema/nodes/plain-schema.ts';
import { deepFreeze } from '../schema/convert/plain-json.ts';
import type { Schema } from '../schema/nodes/schema-types.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import { compileComponent } from '../tools/components/compile-component.ts';
import type { ComponentEntry } from '../tools/components/component-list.ts';
import type { BareComponent } from '../tools/components/component-unit.ts';
import type { ResourceDefinition, ResourceDefinitionBase } from './resource-definition.ts';
import { writeContents } from './resource-contents.ts';

/** How long, and for whom, what was read may be kept. */
export interface CompiledCacheHint {
  readonly ttlMs: number;
  readonly scope: 'public' | 'private';
}

/** What every kind of resource has once it is compiled. */
export interface ReadableEntry extends ComponentEntry {
  readonly cacheHint: CompiledCacheHint | undefined;
  /** How what the handler gave is written for the URI that was read. */
  readonly writeFor: (uri: string) => Write<McpReadResourceResult>;
}

/** A resource as the manager keeps it. */
export interface ResourceEntry extends ReadableEntry {
  readonly listed: McpResource;
}

/** What the handler of a resource is called with: put together by us, so there is nothing to check. */
export interface ReadInput {
  readonly uri: string;
  readonly variables: Readonly<Record<string, string>>;
}

export const READ_INPUT: Schema = definePlainSchema(
  {
    type: 'object',
    properties: {
      uri: { type: 'string' },
      variables: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
  (value) => value,
);

/** What a definition is compiled with. */
export interface ResourceParts {
  readonly settings: ToolSettings;
  /** {@link READ_INPUT}, compiled. */
  readonly input: CompiledSchema;
}

/** Compiles a resource whose definition has been looked at. */
export function compileResource(
  definition: ResourceDefinition<never>,
  { settings, input }: ResourceParts,
): BareComponent<ResourceEntry> {
  const { uri: key, mimeType, contentProvider, text, blob } = definition;
  const fixed = text ?? { blob };
  const handler: CompiledTool['handler'] =
    contentProvider === undefined
      ? () => fixed
      : ({ context }) => contentProvider({ uri: key, context: context as never });
  const surround = compileComponent({ kind: 'resource', key, definition, input, handler }, settings);
  const { name, title, description, size, annotations, icons, _meta: meta } = definition;
  const listed = deepFreeze(
    new McpResourceConverter().convertFromResource(
      new Resource({
        uri: key,
        name,
        title,
        description,
        mimeType,
        size,
        annotations,
        icons: icons === undefined ? undefined : [...icons],
        meta,
      }),
    ),
  );
  const json = JSON.stringify(listed);
  const { maxResultBytes } = settings.collaborators;
  const write =
    contentProvider === undefined
      ? writeFixed({ uri: key, mimeType, fixed }, maxResultBytes)
      : writeProvided(mimeType, maxResultBytes)(key);
  const parts = { key, json, listed, cacheHint: toCacheHint(definition), writeFor: () => write };
  return (middleware) => ({ ...parts, tool: surround(middleware) });
}

/** Writes what a content provider returns. */
export function writeProvided(mimeType: string | undefined, maxBytes: number): ReadableEntry['writeFor'] {
  return (uri) => (returned) =>
    returned === null
      ? { kind: 'reply', reply: unknownResource(uri) }
      : writeContents(returned, { uri, mimeType }, maxBytes);
}

/** What never changes: its content as the definition has it. */
interface FixedContent {
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly fixed: unknown;
}

/** What never changes is written once, and refused here where it cannot be sent. A middleware may still give something else. */
function writeFixed({ uri, mimeType, fixed }: FixedContent, maxBytes: number): Write<McpReadResourceResult> {
  const written = writeContents(fixed, { uri, mimeType }, maxBytes);
  if (written.kind === 'value') {
    const kept = { kind: 'value', value: deepFreeze(written.value) } as const;
    const provided = writeProvided(mimeType, maxBytes)(uri);
    return (returned) => (returned === fixed ? kept : provided(returned));
  }
  const reason =
    written.kind === 'too-large'
      ? `the content has ${written.bytes ?? `more than ${written.limit}`} bytes; the limit is ${written.limit}`
      : 'the blob must be base64 or a Uint8Array';
  throw new DefinitionError(`Resource "${uri}": ${reason}.`, {
    option: typeof fixed === 'string' ? 'text' : 'blob',
  });
}

/** The cache hint of a definition with its default filled in. */
export function toCacheHint({ cacheHint }: ResourceDefinitionBase): CompiledCacheHint | undefined {
  return cacheHint && Object.freeze({ ttlMs: cacheHint.ttlMs, scope: cacheHint.scope ?? 'private' });
}

/** Whoever sends a megabyte need not get it back. */
const MAX_SHOWN = 2048;

/** The answer where nothing has this URI, as far as the caller may know. */
export function unknownResource(uri: unknown): ComponentReply<never> {
  const shown = typeof uri === 'string' ? uri.slice(0, MAX_SHOWN) : '(no URI)';
  return {
    kind: 'protocol-error',
    code: JSON_RPC_INVALID_PARAMS,
    reason: 'UNKNOWN_RESOURCE',
    message: `Resource not found: ${shown}`,
    data: { uri: shown },
  };
}
