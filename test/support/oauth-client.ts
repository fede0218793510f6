import { DpopSession } from '@modelcontextprotocol/client';
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** Redirects that a browser would follow. A login and a consent need ten. */
const MAX_REDIRECTS = 20;

/** Credentials of an official client in memory, and a browser without a window: it follows the redirects of the authorization server. */
export class TestOAuthClient implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1/callback';
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'Test client',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  readonly clientMetadataUrl?: string;
  readonly dpop?: () => Promise<DpopSession>;
  /** Authorization requests that the browser opened. */
  readonly opened: URL[] = [];
  /** Parameters of the last redirect to the client. */
  callback = new URLSearchParams();
  saved: {
    client?: StoredOAuthClientInformation;
    tokens?: StoredOAuthTokens;
    discovery?: OAuthDiscoveryState;
    verifier?: string;
  } = {};
  readonly #cookies = new Map<string, string>();

  constructor(options: { readonly clientMetadataUrl?: string; readonly dpop?: boolean } = {}) {
    if (options.clientMetadataUrl !== undefined) this.clientMetadataUrl = options.clientMetadataUrl;
    if (options.dpop === true) {
      const session = DpopSession.create();
      this.dpop = () => session;
    }
  }

  get accessToken(): string {
    return this.saved.tokens?.access_token ?? '';
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.saved.client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.saved.client = client;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.saved.tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.saved.tokens = tokens;
  }

  saveCodeVerifier(verifier: string): void {
    this.saved.verifier = verifier;
  }

  codeVerifier(): string {
    return this.saved.verifier ?? '';
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.saved.discovery = discovery;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.saved.discovery;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    this.opened.push(url);
    let next = url;
    for (let count = 0; count < MAX_REDIRECTS; count += 1) {
      if (next.href.startsWith(`${this.redirectUrl}?`)) {
        this.callback = next.searchParams;
        return;
      }
      next = await this.#follow(next);
    }
    throw new Error(`The authorization server redirected more than ${MAX_REDIRECTS} times.`);
  }

  async #follow(url: URL): Promise<URL> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`${url.pathname} is status ${response.status}: ${await response.text()}`);
    return new URL(location, url);
  }
}
