import type { ClientCapabilities, ClientDescription } from '../../middleware/dialogue.ts';
import { boundCapabilities, describeClient } from '../messages/envelope.ts';
import type { RpcError, RpcParams } from '../messages/json-rpc.ts';
import { negotiate } from '../messages/revisions.ts';
import type { Revision } from '../messages/revisions.ts';
import { invalidParams } from '../messages/rpc-errors.ts';
import type { Announced, Served } from './served.ts';

/** Result of a handshake. */
export interface Handshake {
  readonly revision: Revision;
  readonly client: ClientDescription;
  /** Capabilities that the server declared; the client does not know of later ones. */
  readonly declared: ReadonlySet<string>;
  /** The response. */
  readonly json: string;
}

/** `initialize`: negotiates a revision; earlier revisions only. Without a session nothing is kept. */
export function shakeHands(
  { introduction, announced }: Pick<Served, 'introduction' | 'announced'>,
  params: RpcParams | undefined,
  hasSession = true,
): Handshake | { error: RpcError } {
  const { protocolVersion, capabilities, clientInfo } = params ?? {};
  if (typeof protocolVersion !== 'string')
    return { error: invalidParams('Invalid params: protocolVersion must be a string.') };
  if (typeof capabilities !== 'object' || capabilities === null)
    return { error: invalidParams('Invalid params: capabilities must be an object.') };
  const revision = negotiate(protocolVersion);
  const { info, instructions } = introduction;
  const declared = capabilitiesOf(announced);
  const result = {
    protocolVersion: revision.version,
    capabilities: hasSession ? declared : withoutNews(declared),
    serverInfo: info,
    ...(instructions === undefined ? {} : { instructions }),
  };
  return {
    revision,
    client: describeClient(
      clientInfo,
      boundCapabilities(capabilities as ClientCapabilities),
      revision.version,
    ),
    declared: new Set(Object.keys(declared)),
    json: JSON.stringify(result),
  };
}

/** Capabilities of a stateless server: without change notifications and logging. */
function withoutNews({ logging: _logging, ...parts }: Record<string, object>): Record<string, object> {
  return Object.fromEntries(Object.keys(parts).map((name) => [name, {}]));
}

/** Capabilities that the server declares. */
export function capabilitiesOf({ tools, prompts, resources }: Announced): Record<string, object> {
  return {
    logging: {},
    ...(prompts === undefined && resources === undefined ? {} : { completions: {} }),
    ...(tools === undefined ? {} : { tools: { listChanged: true } }),
    ...(prompts === undefined ? {} : { prompts: { listChanged: true } }),
    ...(resources === undefined ? {} : { resources: { listChanged: true, subscribe: true } }),
  };
}
