import { systemClock } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
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
  /**
   * Sends the requests in place of the outbound client: for platforms without `node:http`. Its address rules do not apply then. A request that
   * takes longer than 5 s is aborted.
   */
  readonly fetch?: IdentityFetch;
}

/** Time that a request to an identity provider may take. */
const TIMEOUT_MS = 5000;

/** Sends requests to an identity provider through the outbound client. */
export function toIdentityFetch({
  outbound,
  fetch,
  clock = systemClock,
}: IdentityFetchOptions & { readonly clock?: Clock | undefined }): IdentityFetch {
  if (fetch !== undefined) return withTimeout(fetch, clock);
  // defence: keys-by-the-outbound-client
  const client = new OutboundClient({ timeoutMs: TIMEOUT_MS, maxRetries: 0, ...outbound });
  return sendThrough(client);
}

/** All requests wait for the same keys: one fetch that hangs would lock every caller out for good. */
function withTimeout(fetch: IdentityFetch, clock: Clock): IdentityFetch {
  return (url, init) =>
    new Promise((resolve, reject) => {
      const stop = new AbortController();
      const cancel = clock.schedule(() => {
        const error = new Error(`${new URL(url).origin} did not respond within ${TIMEOUT_MS} ms.`);
        reject(error);
        stop.abort(error);
      }, TIMEOUT_MS);
      const signal = init.signal ? AbortSignal.any([init.signal, stop.signal]) : stop.signal;
      readWhole(fetch, url, { ...init, signal })
        .then(resolve, reject)
        .finally(cancel);
    });
}

/** The response with its body, which may hang as well. */
async function readWhole(fetch: IdentityFetch, ...request: Parameters<IdentityFetch>): Promise<Response> {
  const response = await fetch(...request);
  const body = await response.arrayBuffer();
  const { status, headers } = response;
  return new Response(body.byteLength === 0 ? null : body, { status, headers });
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
