import type { LimitedRequest } from './limits/request-limiter.ts';

/** A request to another server. */
export interface OutboundRequest {
  /** Default: `GET`. */
  readonly method?: string;
  readonly url: URL;
  /** What is asked for, whatever the arguments: what fails after the connection was made counts for this alone. Default: method and path. */
  readonly operation?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that prove who asks. They go to this very origin, and nowhere else. */
  readonly credentials?: { readonly origin: string; readonly headers: Readonly<Record<string, string>> };
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Whom it is sent for, for limits. */
  readonly caller?: Pick<LimitedRequest, 'accessToken' | 'principal'>;
  /** At most the client's. */
  readonly timeoutMs?: number;
  readonly maxResponseBytes?: number;
  /**
   * Follows redirects of GET and HEAD within the origin, at most 5. Gets each address and the status, and returns the address that is asked:
   * the same, with keys in its query where they belong; undefined for a redirect that is the answer. Absent: all of them are.
   */
  readonly redirect?: (to: URL, status: number) => URL | undefined;
}
