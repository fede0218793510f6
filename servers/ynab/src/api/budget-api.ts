import { CallRefusedError, DefinitionError, ValidationError } from 'toolwright';
import { RequestLimiter } from 'toolwright/middleware';
import { forwardAccessToken, fromOpenAPI } from 'toolwright/openapi';
import type { OpenApiImport } from 'toolwright/openapi';
import type { Clock } from 'toolwright/collaborators';
import { ApiError } from './api-error.ts';

/** The caller of the API: an access token, and the key under which its requests, cache and settings are kept. */
export interface ApiCaller {
  /** A digest of the token. */
  readonly key: string;
  readonly token: string;
}

/** Options of {@link BudgetApi.load}. */
export interface BudgetApiOptions {
  /** Path of the OpenAPI document. */
  readonly document: string;
  readonly baseUrl: string;
  /** Requests per hour and access token. Default: 200, the limit of the API. */
  readonly requestsPerHour?: number;
  /** Deadline of a request in milliseconds, including retries. Default: 20,000, so that a call that sends a change twice ends in its own time. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
}

const HOUR_MS = 3_600_000;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** The client of the budget API. Requests, credentials and errors come from the OpenAPI document. */
export class BudgetApi {
  readonly baseUrl: string;
  readonly #import: OpenApiImport;
  readonly #limiter: RequestLimiter;

  private constructor(imported: OpenApiImport, limiter: RequestLimiter, baseUrl: string) {
    this.#import = imported;
    this.#limiter = limiter;
    this.baseUrl = baseUrl;
  }

  static async load(options: BudgetApiOptions): Promise<BudgetApi> {
    const { document, baseUrl, requestsPerHour = 200, timeoutMs = 20_000, clock } = options;
    const limiter = new RequestLimiter({
      limit: requestsPerHour,
      perMs: HOUR_MS,
      by: ({ principal }) => principal?.id ?? '',
      ...(clock === undefined ? {} : { clock }),
    });
    const imported = await fromOpenAPI(document, {
      baseUrl,
      authProvider: forwardAccessToken(),
      outbound: {
        limiter,
        timeoutMs,
        maxResponseBytes: MAX_RESPONSE_BYTES,
        allowPrivate: isLoopback(baseUrl) ? ['127.0.0.1'] : [],
        ...(clock === undefined ? {} : { clock }),
      },
    });
    return new BudgetApi(imported, limiter, baseUrl);
  }

  /** Sends one request and returns `data` of the response. Throws an {@link ApiError} for an error response. */
  async call<TData>(
    operation: string,
    args: Readonly<Record<string, unknown>>,
    { caller, signal }: { readonly caller: ApiCaller; readonly signal?: AbortSignal },
  ): Promise<TData> {
    const response = await this.#import
      .call<{ readonly data?: TData } | undefined>(operation, args, {
        caller: { principal: { id: caller.key }, accessToken: caller.token },
        ...(signal === undefined ? {} : { signal }),
      })
      .catch(rejectValues);
    if (!response.ok) throw new ApiError(response);
    const data = response.body?.data;
    // A portal or a proxy may respond in place of the API.
    if (typeof data !== 'object' || data === null) {
      const message = `The response of the budget API to ${operation} has no data.`;
      throw new CallRefusedError('UPSTREAM_FAILED', message);
    }
    return data;
  }

  /** The requests that this token has left in the current hour, and the time at which the oldest one leaves it. */
  limits(caller: ApiCaller): { readonly remaining: number; readonly resetAt: number | undefined } {
    return this.#limiter.status({ url: this.baseUrl, principal: { id: caller.key } });
  }

  close(): void {
    this.#import.close();
  }
}

/** Values that the OpenAPI document forbids, such as an id that is not a UUID, come from the arguments of a tool. */
function rejectValues(error: unknown): never {
  const findings = error instanceof DefinitionError ? error.findings : [];
  const issues = findings.flatMap(({ option, path = [], message }) =>
    option === 'args' ? [{ path, message }] : [],
  );
  throw issues.length === 0 ? error : new ValidationError(issues);
}

function isLoopback(url: string): boolean {
  return new URL(url).hostname === '127.0.0.1';
}
