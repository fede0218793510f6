import { DefinitionError } from '../../../errors/errors.ts';
import type { OutboundClient } from '../../../outbound/outbound-client.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { createDescriptionReader } from './describe-server.ts';
import type { DescribedServer } from './describe-server.ts';
import type { SecurityScheme } from '../schemes/security-scheme.ts';
import { isWeb } from './trusted-origins.ts';
import type { TrustedOrigins } from './trusted-origins.ts';

interface Parts {
  readonly trusted: TrustedOrigins;
  readonly client: OutboundClient;
  readonly clock: Clock;
  readonly owner: string;
}

/**
 * Finds the token endpoint, which receives the client secret. A document could name any server, so its URL is only
 * used at trusted origins; the author's URL is used as it is.
 */
export function findTokenServer(
  scheme: SecurityScheme,
  given: string | undefined,
  parts: Parts,
): (signal: AbortSignal) => Promise<DescribedServer> {
  const { owner } = parts;
  if (given !== undefined) {
    const isGood = URL.canParse(given) && isWeb(new URL(given));
    if (!isGood)
      throw new DefinitionError(`${owner}: tokenUrl must be a URL such as https://id.example.com/token.`, {
        option: 'tokenUrl',
        expected: 'a URL such as https://id.example.com/token',
      });
    return always(new URL(given));
  }
  const written = scheme.kind === 'oauth2' ? writtenTokenUrl(scheme.flows) : undefined;
  if (written !== undefined) return always(confirm(written, 'token endpoint', { ...parts, scheme }));
  const metadata =
    scheme.kind === 'oauth2' || scheme.kind === 'openIdConnect' ? scheme.metadataUrl : undefined;
  if (metadata === undefined)
    throw new DefinitionError(`${owner}: the document names no token endpoint. Set tokenUrl.`, {
      option: 'tokenUrl',
    });
  return createDescriptionReader({
    ...parts,
    url: confirm(metadata, 'authorization server metadata', { ...parts, scheme }),
  });
}

function always(tokenUrl: URL): () => Promise<DescribedServer> {
  const server: DescribedServer = { tokenUrl, authentication: 'basic' };
  return () => Promise.resolve(server);
}

/**
 * Token URL of the client credentials flow, else of any other: authorization servers have one token endpoint for
 * all flows.
 */
function writtenTokenUrl(flows: readonly { readonly tokenUrl: string | undefined }[]): string | undefined {
  return flows.find(({ tokenUrl }) => tokenUrl !== undefined)?.tokenUrl;
}

function confirm(
  written: string,
  what: string,
  { trusted, owner, scheme }: Parts & { readonly scheme: SecurityScheme },
): URL {
  const url = trusted.resolve(written);
  if (url === undefined)
    throw new DefinitionError(`${owner}: the ${what} URL of the document is invalid. Set tokenUrl.`, {
      option: 'tokenUrl',
    });
  // defence: origin-of-tokens
  if (!trusted.has(url.origin))
    throw new DefinitionError(
      `${owner}: the ${what} URL of the document is at ${url.origin}, which is not the origin of the API. ` +
        `To trust it, set tokenUrl in the credential, or add "${url.origin}" to origins.`,
      { reason: 'untrusted-token-server', option: 'credentials', path: [scheme.name], received: url.origin },
    );
  return url;
}
