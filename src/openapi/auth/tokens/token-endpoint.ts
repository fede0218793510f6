import { ToolError } from '../../../errors/errors.ts';
import { redactSecrets } from '../../../errors/sanitize.ts';
import type { OutboundClient } from '../../../outbound/outbound-client.ts';
import type { OutboundRequest } from '../../../outbound/outbound-request.ts';
import { findHeaderMistake } from '../../../outbound/request-headers.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { memberOf, textOf } from '../../document/parse/read-values.ts';
import type { JsonObject } from '../../model/operation.ts';
import { askServer } from './ask-server.ts';
import { formEncode, hideSecrets } from '../secrets/hide-secrets.ts';
import { clean } from '../schemes/security-scheme.ts';
import type { Token } from './token-cache.ts';

/** Client authentication at the token endpoint: in a header (`basic`), or in the form (`post`). */
export type ClientAuthentication = 'basic' | 'post';

/** A token endpoint, and the client that uses it. */
export interface TokenEndpoint {
  readonly url: URL;
  readonly clientId: string;
  /** Undefined for public clients. */
  readonly clientSecret: string | undefined;
  readonly authentication: ClientAuthentication;
  readonly client: OutboundClient;
  readonly clock: Clock;
  /** Owner of the token, for messages: `credentials.oauth`. */
  readonly owner: string;
}

/** Fields of a token request. Those without a value are left out. */
export type TokenForm = Readonly<Record<string, string | undefined>>;

/** A token is not used for this long before it expires. */
const SKEW_MS = 30_000;
/** Lifetime of a token without `expires_in`. */
const UNSAID_LIFETIME_MS = 300_000;

/** Requests a token. Errors contain no secrets. */
export async function requestToken(
  endpoint: TokenEndpoint,
  form: TokenForm,
  signal: AbortSignal,
): Promise<Token> {
  const startedAt = endpoint.clock.now();
  const request = { ...toRequest(endpoint, form), signal };
  const { status, read } = await askServer(endpoint.client, endpoint.owner, request);
  const value = textOf(memberOf(read, 'access_token'));
  if (status < 200 || status > 299 || value === undefined)
    throw refusal(`it responded with ${status}${reasonOf(read, secretsOf(endpoint, form))}`, endpoint);
  // Tokens that need a proof with each request are not supported.
  const type = textOf(memberOf(read, 'token_type'))?.toLowerCase();
  if (type === 'dpop' || type === 'mac' || type === 'pop')
    throw refusal(`it returned a token of the type ${type}, but only bearer tokens are supported`, endpoint);
  if (findHeaderMistake('authorization', value) !== undefined)
    throw refusal('its token has characters that are not allowed in a header', endpoint);
  const lifetimeMs = readLifetime(memberOf(read, 'expires_in'));
  return {
    value,
    usedUntil: startedAt + lifetimeMs - Math.min(SKEW_MS, lifetimeMs / 2),
    refreshToken: textOf(memberOf(read, 'refresh_token')),
  };
}

function toRequest(endpoint: TokenEndpoint, form: TokenForm): OutboundRequest {
  const { url, clientId, clientSecret, authentication } = endpoint;
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) if (value !== undefined) body.append(name, value);
  const isBasic = clientSecret !== undefined && authentication === 'basic';
  if (!isBasic) body.append('client_id', clientId);
  if (clientSecret !== undefined && !isBasic) body.append('client_secret', clientSecret);
  const headers = isBasic ? { authorization: basicOf(clientId, clientSecret) } : {};
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    credentials: { origin: url.origin, headers },
    body: body.toString(),
  };
}

/** Both parts are form-encoded first (RFC 6749, 2.3.1): a colon in the name would end it. */
function basicOf(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${formEncode(clientId)}:${formEncode(clientSecret)}`).toString('base64')}`;
}

/** In seconds; some servers send a string. */
function readLifetime(said: unknown): number {
  const seconds = typeof said === 'string' && said.trim() !== '' ? Number(said) : said;
  return typeof seconds === 'number' && Number.isFinite(seconds)
    ? Math.max(0, seconds) * 1000
    : UNSAID_LIFETIME_MS;
}

const MAX_REASON = 200;

/**
 * The error of the server: ` invalid_client (Who are you?)`. Secrets are removed before it is shortened: half of
 * one would not be found.
 */
function reasonOf(read: JsonObject, secrets: readonly string[]): string {
  const [code, description] = ['error', 'error_description'].map((name) => {
    const said = textOf(memberOf(read, name));
    return said === undefined ? undefined : redactSecrets(clean(hideSecrets(said, secrets), MAX_REASON));
  });
  const details = description === undefined ? '' : ` (${description})`;
  return code === undefined ? `${details}, without a token` : ` ${code}${details}`;
}

function refusal(why: string, { url, owner }: TokenEndpoint): ToolError {
  return new ToolError(`No token for ${owner} from ${url.origin}${url.pathname}: ${why}.`);
}

function secretsOf({ clientId, clientSecret }: TokenEndpoint, form: TokenForm): string[] {
  const { subject_token: subject, refresh_token: refresh } = form;
  const basic =
    clientSecret === undefined ? undefined : basicOf(clientId, clientSecret).slice('Basic '.length);
  return [clientSecret, basic, subject, refresh].filter((each) => each !== undefined);
}
