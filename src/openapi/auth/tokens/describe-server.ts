import { ToolError } from '../../../errors/errors.ts';
import type { OutboundClient } from '../../../outbound/outbound-client.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { memberOf, textOf, textsOf } from '../../document/parse/read-values.ts';
import { askServer } from './ask-server.ts';
import { SharedRuns } from './shared-runs.ts';
import type { ClientAuthentication } from './token-endpoint.ts';
import { isWeb } from './trusted-origins.ts';
import type { TrustedOrigins } from './trusted-origins.ts';

/** An authorization server, as far as it is needed. */
export interface DescribedServer {
  readonly tokenUrl: URL;
  /** What it takes where nothing else is said. */
  readonly authentication: ClientAuthentication;
}

/** What a description is read with. */
export interface DescriptionParts {
  readonly url: URL;
  readonly trusted: TrustedOrigins;
  readonly client: OutboundClient;
  readonly clock: Clock;
  readonly owner: string;
}

/** Servers move, though rarely. */
const KEPT_MS = 3_600_000;

/** Reads where a server gives out tokens from its own description (OpenID Connect discovery, RFC 8414), when it is first needed. */
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
    throw new ToolError(`No token for ${owner}: ${where} does not say where tokens are given out.`);
  const tokenUrl = new URL(written);
  // defence: described-token-servers
  const isKnown = tokenUrl.origin === url.origin || trusted.has(tokenUrl.origin);
  if (!isKnown || !isWeb(tokenUrl)) {
    throw new ToolError(
      `No token for ${owner}: ${where} sends us to ${tokenUrl.origin}, which nobody has confirmed. ` +
        'Whoever runs this server can give tokenUrl in the credential, or add that origin to origins.',
    );
  }
  const methods = textsOf(memberOf(read, 'token_endpoint_auth_methods_supported'));
  const isPostOnly = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return { tokenUrl, authentication: isPostOnly ? 'post' : 'basic' };
}
