import { isObject } from '../../base/is-object.ts';
import { cutText } from '../../base/cut-text.ts';
import type { ClientCapabilities, ClientDescription, McpLogLevel } from '../../middleware/dialogue.ts';
import { copyStart } from '../../base/cut-text.ts';
import { weighValue } from '../../base/memory/weigh.ts';
import type { RpcError, RpcParams, RpcRequest } from './json-rpc.ts';
import { isLogLevel } from './log-levels.ts';
import { META } from './meta-keys.ts';
import { MODERN } from './revisions.ts';
import { headerMismatch, invalidParams, unsupportedVersion } from './rpc-errors.ts';

/** Information about the client in every request of 2026-07-28. */
export interface Envelope {
  readonly client: ClientDescription;
  readonly logLevel: McpLogLevel | undefined;
}

/** Whether a message belongs to the revision without sessions: by its `_meta`, or by a method that only that revision has. */
export function isModern(method: string, params: RpcParams | undefined): boolean {
  return method === 'server/discover' || method === 'subscriptions/listen' || versionOf(params) !== undefined;
}

/** The revision that a message names. */
export function versionOf(params: RpcParams | undefined): unknown {
  return (params?.['_meta'] as Record<string, unknown> | null | undefined)?.[META.protocolVersion];
}

/** Reads the client information of a request, or returns an error. */
export function readEnvelope(
  { params, weight }: Pick<RpcRequest, 'params' | 'weight'>,
  headerVersion?: string,
): Envelope | RpcError {
  const meta = params?.['_meta'];
  if (!isObject(meta)) return missing('_meta');
  const version = meta[META.protocolVersion];
  if (typeof version !== 'string') return missing(`_meta["${META.protocolVersion}"]`);
  const capabilities = meta[META.clientCapabilities];
  if (!isObject(capabilities)) return missing(`_meta["${META.clientCapabilities}"]`);
  if (headerVersion === '')
    return headerMismatch('Header mismatch: the header MCP-Protocol-Version is missing.');
  // defence: version-in-the-header
  if (headerVersion !== undefined && headerVersion !== version) {
    return headerMismatch(
      `Header mismatch: MCP-Protocol-Version is "${cutText(headerVersion)}", but _meta says "${cutText(version)}".`,
    );
  }
  if (version !== MODERN.version) return unsupportedVersion(version, [MODERN.version]);
  const info = meta[META.clientInfo];
  const level = meta[META.logLevel];
  return {
    client: describeClient(
      info,
      // A short message has no long capabilities.
      weight <= MAX_CAPABILITY_BYTES ? capabilities : boundCapabilities(capabilities),
      version,
    ),
    logLevel: isLogLevel(level) ? level : undefined,
  };
}

/** Name, version and capabilities of a client. */
export function describeClient(
  info: unknown,
  capabilities: ClientCapabilities,
  protocolVersion: string,
): ClientDescription {
  const { name, version } = isObject(info) ? info : {};
  return {
    name: shortText(name),
    version: shortText(version),
    capabilities,
    protocolVersion,
  };
}

/** Longer names are cut. */
const MAX_NAME_CHARS = 256;

/** Maximum size of the capabilities of a client. */
const MAX_CAPABILITY_BYTES = 16_384;

function shortText(value: unknown): string | undefined {
  return typeof value === 'string' ? copyStart(value, MAX_NAME_CHARS) : undefined;
}

/** Limits the size of capabilities; nearly always all are kept. Otherwise only those that the protocol defines are kept, up to a size each. */
export function boundCapabilities(capabilities: ClientCapabilities): ClientCapabilities {
  if (weighValue(capabilities) <= MAX_CAPABILITY_BYTES) return capabilities;
  const known = KNOWN_CAPABILITIES.filter((name) => isObject(capabilities[name]));
  return Object.fromEntries(known.map((name) => [name, boundMembers(capabilities[name] as object)]));
}

const KNOWN_CAPABILITIES = ['roots', 'sampling', 'elicitation', 'tasks', 'extensions'] as const;

function boundMembers(capability: object): object {
  const part = MAX_CAPABILITY_BYTES / KNOWN_CAPABILITIES.length;
  let size = 0;
  const members = Object.entries(capability).filter(([name, value]) => {
    const bytes = name.length + weighValue(value);
    // Skipped: a capability that is too long may precede those that are needed.
    if (size + bytes > part) return false;
    size += bytes;
    return true;
  });
  return Object.fromEntries(members);
}

function missing(what: string): RpcError {
  return { ...invalidParams(`Invalid params: ${what} is missing or of the wrong type.`), status: 400 };
}
