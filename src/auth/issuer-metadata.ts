import { isObject } from '../base/is-object.ts';
import type { IdentityFetch } from './identity-fetch.ts';

/** Metadata of an authorization server: RFC 8414, or OpenID Connect Discovery. */
export type IssuerMetadata = Readonly<Record<string, unknown>>;

/** Fetches the metadata of an issuer. It must name the same issuer, or anybody could publish keys for it. */
export async function fetchIssuerMetadata(issuer: string, fetch: IdentityFetch): Promise<IssuerMetadata> {
  const tried: string[] = [];
  for (const url of metadataUrls(issuer)) {
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    const found: unknown = response.status === 200 ? await response.json().catch(() => undefined) : undefined;
    if (isObject(found)) {
      if (found['issuer'] !== issuer)
        throw new Error(
          `The metadata at ${url} is of another issuer than ${issuer}. Check the option issuer, its trailing slash included.`,
        );
      return found;
    }
    tried.push(`${url} (status ${response.status})`);
  }
  throw new Error(`The issuer ${issuer} has no metadata: ${tried.join(', ')}. Set jwksUri.`);
}

/** The well-known addresses in the order of the MCP specification. */
function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const oauth = `${origin}/.well-known/oauth-authorization-server${path}`;
  const openid = `${origin}/.well-known/openid-configuration${path}`;
  return path === '' ? [oauth, openid] : [oauth, openid, `${origin}${path}/.well-known/openid-configuration`];
}

/** A URL of the metadata that is required here. */
export function urlOf(metadata: IssuerMetadata, member: string): string {
  const url = metadata[member];
  if (typeof url !== 'string')
    throw new Error(`The metadata of the issuer ${String(metadata['issuer'])} has no ${member}.`);
  return url;
}
