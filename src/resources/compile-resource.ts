import { JSON_RPC_INVALID_PARAMS } from '../errors/codes.ts';
import { DefinitionError } from '../errors/errors.ts';
import { McpResourceConverter } from '../model/converters/mcp/mcp-resource-converter.ts';
import type { McpReadResourceResult, McpResource } from '../model/mcp-types.ts';
import { Resource } from '../model/resource.ts';
import type { CompiledTool } from '../pipeline/tool/compiled-tool.ts';
import type { ComponentReply, Write } from '../pipeline/component-reply.ts';
import type { CompiledSchema } from '../schema/checks/compile-schema.ts';
import { definePlainSchema } from '../schema/nodes/plain-schema.ts';
import { deepFreeze } from '../base/json/deep-freeze.ts';
import type { Schema } from '../schema/nodes/schema-types.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import { compileComponent } from '../tools/components/compile-component.ts';
import type { ComponentEntry } from '../tools/components/component-list.ts';
import type { BareComponent } from '../tools/components/component-unit.ts';
import type { ResourceDefinition, ResourceDefinitionBase } from './resource-definition.ts';
import { writeContents } from './resource-contents.ts';

/** Time and audience for which content may be cached. */
export interface CompiledCacheHint {
  readonly ttlMs: number;
  readonly scope: 'public' | 'private';
}

/** Members of compiled resources and resource templates. */
export interface ReadableEntry extends ComponentEntry {
  readonly cacheHint: CompiledCacheHint | undefined;
  /** Converts the handler's value to the contents of a URI. */
  readonly writeFor: (uri: string) => Write<McpReadResourceResult>;
}

/** A compiled resource. */
export interface ResourceEntry extends ReadableEntry {
  readonly listed: McpResource;
}

/** The input of a resource handler. Not validated: it is built internally. */
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

/** Settings for compiling a definition. */
export interface ResourceParts {
  readonly settings: ToolSettings;
  /** {@link READ_INPUT}, compiled. */
  readonly input: CompiledSchema;
}

/** Compiles a validated resource. */
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

/** Converts the value of a content provider. */
export function writeProvided(mimeType: string | undefined, maxBytes: number): ReadableEntry['writeFor'] {
  return (uri) => (returned) =>
    returned === null
      ? { kind: 'reply', reply: unknownResource(uri) }
      : writeContents(returned, { uri, mimeType }, maxBytes);
}

/** The static content of a definition. */
interface FixedContent {
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly fixed: unknown;
}

/** Static content is serialized once, and rejected here if it cannot be sent. A middleware may still replace it. */
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

/** The cache hint of a definition, with defaults. */
export function toCacheHint({ cacheHint }: ResourceDefinitionBase): CompiledCacheHint | undefined {
  return cacheHint && Object.freeze({ ttlMs: cacheHint.ttlMs, scope: cacheHint.scope ?? 'private' });
}

/** Maximum length of a URI in a message; a response must not repeat a megabyte of input. */
const MAX_SHOWN = 2048;

/** The reply for a URI that is unknown or hidden. */
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
