import type { ClientCapabilities, ClientDescription, McpLogLevel } from '../middleware/dialogue.ts';
import type { RpcError, RpcParams } from './json-rpc.ts';
import { isLogLevel } from './log-levels.ts';
import { META } from './meta-keys.ts';
import { MODERN } from './revisions.ts';
import { headerMismatch, invalidParams, unsupportedVersion } from './rpc-errors.ts';

/** What every request of 2026-07-28 says about its sender. */
export interface Envelope {
  readonly client: ClientDescription;
  readonly logLevel: McpLogLevel | undefined;
}

/** Whether a message is meant for the revision without sessions: by what it says of itself, or by a method that only that one has. */
export function isModern(method: string, params: RpcParams | undefined): boolean {
  return method === 'server/discover' || method === 'subscriptions/listen' || versionOf(params) !== undefined;
}

/** The revision a message names. */
export function versionOf(params: RpcParams | undefined): unknown {
  return (params?.['_meta'] as Record<string, unknown> | null | undefined)?.[META.protocolVersion];
}

/** Reads what a request says about its sender, or why it cannot be served. */
export function readEnvelope(params: RpcParams | undefined, headerVersion?: string): Envelope | RpcError {
  const meta = params?.['_meta'];
  if (!isObject(meta)) return missing('_meta');
  const version = meta[META.protocolVersion];
  if (typeof version !== 'string') return missing(`_meta["${META.protocolVersion}"]`);
  const capabilities = meta[META.clientCapabilities];
  if (!isObject(capabilities)) return missing(`_meta["${META.clientCapabilities}"]`);
  if (headerVersion === '')
    return headerMismatch('Header mismatch: the header MCP-Protocol-Version is missing.');
  if (headerVersion !== undefined && headerVersion !== version) {
    return headerMismatch(
      `Header mismatch: MCP-Protocol-Version is "${headerVersion}", but _meta says "${version.slice(0, 64)}".`,
    );
  }
  if (version !== MODERN.version) return unsupportedVersion(version, [MODERN.version]);
  const info = meta[META.clientInfo];
  const level = meta[META.logLevel];
  return {
    client: describeClient(info, capabilities, version),
    logLevel: isLogLevel(level) ? level : undefined,
  };
}

/** A client as it describes itself. */
export function describeClient(
  info: unknown,
  capabilities: ClientCapabilities,
  protocolVersion: string,
): ClientDescription {
  const { name, version } = isObject(info) ? info : {};
  return { name: textOrNothing(name), version: textOrNothing(version), capabilities, protocolVersion };
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function missing(what: string): RpcError {
  return { ...invalidParams(`Invalid params: ${what} is missing or of the wrong type.`), status: 400 };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
