import { DefinitionError } from '../../errors/errors.ts';
import type { OutboundAnswer, OutboundClient } from '../../outbound/outbound-client.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { nameOf } from './document-uri.ts';
import { tooLarge } from './parse/document-limits.ts';

/** Headers, and the only origin that they may be sent to. */
export interface OwnHeaders {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Options of {@link fetchDocument}. */
export interface FetchOptions {
  readonly client: OutboundClient | undefined;
  readonly own: OwnHeaders | undefined;
  readonly maxBytes: number;
  /** Whether redirects to an origin are allowed. Default: all that the client allows. */
  readonly mayVisit?: (origin: string) => boolean;
  readonly signal: AbortSignal | undefined;
}

/** The fetched bytes and the final URL. */
export interface Fetched {
  readonly bytes: Uint8Array;
  readonly url: URL;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const ACCEPT = 'application/json, application/yaml, */*;q=0.5';

/**
 * Fetches a document. Follows redirects one by one, so that each is checked like the first request, and sends
 * headers to one origin only.
 */
export async function fetchDocument(start: URL, options: FetchOptions): Promise<Fetched> {
  let { own } = options;
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    // After a redirect to another origin, headers are not sent again, even if a later redirect leads back.
    if (own?.origin !== url.origin) own = undefined;
    const answer = await ask(url, { ...options, own });
    if (!REDIRECTS.has(answer.status)) return { bytes: readAnswer(url, answer), url };
    url = readRedirect(url, answer, options);
  }
  throw new DefinitionError(`${nameOf(start.href)} redirected more than ${MAX_REDIRECTS} times.`);
}

async function ask(url: URL, { client, own, maxBytes, signal }: FetchOptions): Promise<OutboundAnswer> {
  if (client === undefined)
    throw new DefinitionError(`${nameOf(url.href)} cannot be fetched without an outbound client.`);
  try {
    return await client.send({
      url,
      headers: { accept: ACCEPT },
      ...(own === undefined ? {} : { credentials: own }),
      ...(signal === undefined ? {} : { signal }),
      maxResponseBytes: maxBytes,
    });
  } catch (error) {
    if (error instanceof OutboundError && error.failure === 'too-large')
      throw tooLarge(nameOf(url.href), maxBytes);
    const why = error instanceof OutboundError ? error.message : 'The request could not be sent.';
    throw new DefinitionError(`${nameOf(url.href)} could not be fetched. ${why}`, { cause: error });
  }
}

function readAnswer(url: URL, { status, body }: OutboundAnswer): Uint8Array {
  if (status >= 200 && status < 300) return body;
  const hint = status === 401 || status === 403 ? ' It may require authentication headers.' : '';
  throw new DefinitionError(`${nameOf(url.href)} responded with status ${status}.${hint}`);
}

function readRedirect(from: URL, { status, headers }: OutboundAnswer, { mayVisit }: FetchOptions): URL {
  const name = nameOf(from.href);
  const location = headers.get('location');
  if (location === undefined || !URL.canParse(location, from.href))
    throw new DefinitionError(`${name} responded with status ${status}, but without a valid location.`);
  const url = new URL(location, from);
  url.username = '';
  url.password = '';
  const isWeaker = from.protocol === 'https:' && url.protocol !== 'https:';
  if (isWeaker || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new DefinitionError(`${name} redirects to ${url.protocol}, which is not followed.`);
  // defence: origin-of-a-redirect
  if (mayVisit?.(url.origin) === false)
    throw new DefinitionError(`${name} redirects to ${url.origin}, which is not allowed.`);
  return url;
}
