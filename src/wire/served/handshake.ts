import type { ClientCapabilities, ClientDescription } from '../../middleware/dialogue.ts';
import { boundCapabilities, describeClient } from '../messages/envelope.ts';
import type { RpcError, RpcParams } from '../messages/json-rpc.ts';
import { negotiate } from '../messages/revisions.ts';
import type { Revision } from '../messages/revisions.ts';
import { invalidParams } from '../messages/rpc-errors.ts';
import type { Announced, Served } from './served.ts';

/** What a handshake agreed on. */
export interface Handshake {
  readonly revision: Revision;
  readonly client: ClientDescription;
  /** What the server said it has: of anything that came later the client does not know. */
  readonly declared: ReadonlySet<string>;
  /** The answer. */
  readonly json: string;
}

/** `initialize`: agrees on a revision; earlier revisions only. Without a session nothing is remembered of it. */
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

/** What is left where nothing can be told outside of an answer: the same parts, but no news of them and no log. */
function withoutNews({ logging: _logging, ...parts }: Record<string, object>): Record<string, object> {
  return Object.fromEntries(Object.keys(parts).map((name) => [name, {}]));
}

/** What a server can do, as it is declared. */
export function capabilitiesOf({ tools, prompts, resources }: Announced): Record<string, object> {
  return {
    logging: {},
    ...(prompts === undefined && resources === undefined ? {} : { completions: {} }),
    ...(tools === undefined ? {} : { tools: { listChanged: true } }),
    ...(prompts === undefined ? {} : { prompts: { listChanged: true } }),
    ...(resources === undefined ? {} : { resources: { listChanged: true, subscribe: true } }),
  };
}
