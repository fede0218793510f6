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
 * Where a client shows its secret. A document could name any server, so what it says counts only for origins that are trusted already; what
 * the author says counts as it is.
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
      throw new DefinitionError(
        `${owner}: tokenUrl must be an address such as https://id.example.com/token.`,
        { option: 'tokenUrl', expected: 'an address such as https://id.example.com/token' },
      );
    return always(new URL(given));
  }
  const written = scheme.kind === 'oauth2' ? writtenTokenUrl(scheme.flows) : undefined;
  if (written !== undefined) return always(confirm(written, 'gives out tokens', { ...parts, scheme }));
  const metadata =
    scheme.kind === 'oauth2' || scheme.kind === 'openIdConnect' ? scheme.metadataUrl : undefined;
  if (metadata === undefined)
    throw new DefinitionError(
      `${owner}: the document does not say where tokens are given out. Give tokenUrl.`,
      { option: 'tokenUrl' },
    );
  return createDescriptionReader({
    ...parts,
    url: confirm(metadata, 'says who gives out tokens', { ...parts, scheme }),
  });
}

function always(tokenUrl: URL): () => Promise<DescribedServer> {
  const server: DescribedServer = { tokenUrl, authentication: 'basic' };
  return () => Promise.resolve(server);
}

/** Of the flow for programs, else of any other: authorization servers have one address for all of them. */
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
    throw new DefinitionError(
      `${owner}: the address of the document that ${what} cannot be used. Give tokenUrl.`,
      { option: 'tokenUrl' },
    );
  // defence: origin-of-tokens
  if (!trusted.has(url.origin))
    throw new DefinitionError(
      `${owner}: by the document, ${url.origin} ${what}, which is not where the API is. ` +
        `To confirm it, give tokenUrl in the credential, or add "${url.origin}" to origins.`,
      { reason: 'untrusted-token-server', option: 'credentials', path: [scheme.name], received: url.origin },
    );
  return url;
}
