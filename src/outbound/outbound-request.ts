import type { LimitedRequest } from './limits/request-limiter.ts';

/** A request to an upstream server. */
export interface OutboundRequest {
  /** Default: `GET`. */
  readonly method?: string;
  readonly url: URL;
  /**
   * Name of the operation, independent of its arguments. Failures after connecting count for this operation alone. Default: method and
   * path.
   */
  readonly operation?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers with credentials. They are sent to this origin only. */
  readonly credentials?: { readonly origin: string; readonly headers: Readonly<Record<string, string>> };
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** The caller for whom the request is sent, for limits. */
  readonly caller?: Pick<LimitedRequest, 'accessToken' | 'principal'>;
  /** Timeout in milliseconds, at most that of the client. Default: that of the client. */
  readonly timeoutMs?: number;
  readonly maxResponseBytes?: number;
  /**
   * Called for each redirect of GET and HEAD within the origin, at most 5 times. Returns the URL to request, for example with API keys
   * added to its query; undefined returns the redirect as the response. Default: no redirects are followed.
   */
  readonly redirect?: (to: URL, status: number) => URL | undefined;
}
