import { ToolError } from '../../../errors/errors.ts';
import type { OutboundClient } from '../../../outbound/outbound-client.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { memberOf, textOf, textsOf } from '../../document/parse/read-values.ts';
import { askServer } from './ask-server.ts';
import { SharedRuns } from './shared-runs.ts';
import type { ClientAuthentication } from './token-endpoint.ts';
import { isWeb } from './trusted-origins.ts';
import type { TrustedOrigins } from './trusted-origins.ts';

/** The metadata of an authorization server that is used. */
export interface DescribedServer {
  readonly tokenUrl: URL;
  /** Client authentication that it supports. */
  readonly authentication: ClientAuthentication;
}

/** Options of {@link createDescriptionReader}. */
export interface DescriptionParts {
  readonly url: URL;
  readonly trusted: TrustedOrigins;
  readonly client: OutboundClient;
  readonly clock: Clock;
  readonly owner: string;
}

/** Cache time of metadata: servers rarely move. */
const KEPT_MS = 3_600_000;

/** Reads the token endpoint from the metadata of a server (OpenID Connect discovery, RFC 8414), on first use. */
export function createDescriptionReader(
  parts: DescriptionParts,
): (signal: AbortSignal) => Promise<DescribedServer> {
  const runs = new SharedRuns<DescribedServer>();
  let known: { readonly server: DescribedServer; readonly until: number } | undefined;
  return async (signal) => {
    if (known !== undefined && parts.clock.now() < known.until) return known.server;
    return runs.join('', signal, async (stop) => {
      const server = await readDescription(parts, stop);
      known = { server, until: parts.clock.now() + KEPT_MS };
      return server;
    });
  };
}

async function readDescription(parts: DescriptionParts, signal: AbortSignal): Promise<DescribedServer> {
  const { url, trusted, owner } = parts;
  const { status, read } = await askServer(parts.client, owner, { url, signal });
  const where = `${url.origin}${url.pathname}`;
  const written = textOf(memberOf(read, 'token_endpoint'));
  if (status !== 200 || written === undefined || !URL.canParse(written))
    throw new ToolError(`No token for ${owner}: ${where} names no valid token_endpoint.`);
  const tokenUrl = new URL(written);
  // defence: described-token-servers
  const isKnown = tokenUrl.origin === url.origin || trusted.has(tokenUrl.origin);
  if (!isKnown || !isWeb(tokenUrl)) {
    throw new ToolError(
      `No token for ${owner}: ${where} names a token endpoint at ${tokenUrl.origin}, which is not trusted. ` +
        'The operator of this server can set tokenUrl in the credential, or add that origin to origins.',
    );
  }
  const methods = textsOf(memberOf(read, 'token_endpoint_auth_methods_supported'));
  const isPostOnly = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return { tokenUrl, authentication: isPostOnly ? 'post' : 'basic' };
}
