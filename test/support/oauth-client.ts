import {
  Client,
  DpopSession,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
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

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'tokens') delete this.saved.tokens;
    if (scope === 'all' || scope === 'client') delete this.saved.client;
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

/** A `fetch` that records every exchange as `POST /mcp 401`, and the challenges of those that have one. */
export function recordingFetch(exchanges: string[], challenges: string[]): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    // The stream of a session opens beside the calls.
    if (init?.method !== 'GET' || pathname.startsWith('/.well-known/'))
      exchanges.push(`${init?.method ?? 'GET'} ${pathname} ${response.status}`);
    const challenge = response.headers.get('www-authenticate');
    if (challenge !== null) challenges.push(challenge);
    return response;
  };
}

/** The official client of SDK 2.x with everything that it sends. */
export class OfficialClient {
  readonly url: string;
  readonly oauth: TestOAuthClient;
  readonly exchanges: string[] = [];
  readonly challenges: string[] = [];
  readonly client: Client;
  #transport: StreamableHTTPClientTransport | undefined;

  constructor(url: string, oauth: TestOAuthClient, mode: 'auto' | 'legacy') {
    this.url = url;
    this.oauth = oauth;
    this.client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  }

  /** Connects, and authorizes where the server demands it. */
  async connect(): Promise<void> {
    try {
      await this.client.connect(this.#createTransport());
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await this.finishAuthorization();
      await this.client.connect(this.#createTransport());
    }
  }

  /** Exchanges the code that the browser brought back. */
  finishAuthorization(): Promise<void> {
    return this.#transport?.finishAuth(this.oauth.callback) ?? Promise.resolve();
  }

  /** The text that a tool returns. */
  async call(name: string): Promise<string> {
    const { content } = await this.client.callTool({ name, arguments: {} });
    return (content as unknown as [{ text: string }])[0].text;
  }

  close(): Promise<void> {
    return this.client.close();
  }

  #createTransport(): StreamableHTTPClientTransport {
    this.#transport = new StreamableHTTPClientTransport(new URL(this.url), {
      authProvider: this.oauth,
      fetch: recordingFetch(this.exchanges, this.challenges),
    });
    return this.#transport;
  }
}

/** Calls the tool `whoami` without a client. */
export function postCall(
  url: string,
  authorization: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const name = { 'mcp-name': 'whoami' };
  const params = { name: 'whoami', arguments: {} };
  return post(url, { method: 'tools/call', params }, { authorization, ...name, ...headers });
}

/** Sends a request of 2026-07-28 without a client. */
export function post(
  url: string,
  { method, params }: { readonly method: string; readonly params: object },
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
}
