import { OutboundClient } from '../outbound/outbound-client.ts';
import type { OutboundOptions } from '../outbound/outbound-client.ts';

/** The part of `fetch` that keys, metadata and introspection need. */
export type IdentityFetch = (
  url: string,
  init: {
    readonly method?: string;
    readonly headers?: Headers | Readonly<Record<string, string>>;
    readonly body?: string | URLSearchParams | undefined;
    readonly signal?: AbortSignal | null;
  },
) => Promise<Response>;

/** Options of verifiers that send requests to an identity provider. */
export interface IdentityFetchOptions {
  /**
   * Options of the requests to the identity provider. Private addresses are not reached unless `allowPrivate` names them, redirects are not
   * followed, and responses are limited in size.
   */
  readonly outbound?: OutboundOptions;
  /** Sends the requests in place of the outbound client: for platforms without `node:http`. Its address rules do not apply then. */
  readonly fetch?: IdentityFetch;
}

/** Sends requests to an identity provider through the outbound client. */
export function toIdentityFetch({ outbound, fetch }: IdentityFetchOptions): IdentityFetch {
  if (fetch !== undefined) return fetch;
  // defence: keys-by-the-outbound-client
  const client = new OutboundClient({ timeoutMs: 5000, maxRetries: 0, ...outbound });
  return sendThrough(client);
}

/** A `fetch` that sends requests through a client. */
export function sendThrough(client: OutboundClient, timeoutMs?: number): IdentityFetch {
  return async (url, { method = 'GET', headers, body, signal }) => {
    const answer = await client.send({
      method,
      url: new URL(url),
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined ? {} : { body: body.toString() }),
      ...(signal ? { signal } : {}),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    // A response without a body must not have one of no bytes.
    const hasBody = answer.status !== 204 && answer.status !== 304;
    return new Response(hasBody ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers: [...answer.headers],
    });
  };
}
