import { OutboundClient } from 'toolwright/openapi';
import { stravaError } from '../strava-error.ts';

export interface HttpRequest {
  readonly url: URL;
  /** Fields of a form; they are sent by POST. */
  readonly form?: Readonly<Record<string, string>>;
  readonly accessToken?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const TIMEOUT_MS = 20_000;
/** Streams of a day-long activity have about 5 MB. */
const MAX_RESPONSE_BYTES = 16_777_216;

/** Sends requests to Strava, without retries: each request counts. */
export class StravaHttp {
  readonly #client: OutboundClient;

  constructor(allowPrivate: readonly string[] = []) {
    this.#client = new OutboundClient({
      allowPrivate,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      maxRetries: 0,
    });
  }

  async send({ url, form, accessToken, signal }: HttpRequest): Promise<HttpResponse> {
    try {
      return await this.#client.send({
        url,
        method: form === undefined ? 'GET' : 'POST',
        operation: operationOf(url),
        headers: {
          accept: 'application/json',
          ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(accessToken !== undefined && {
          credentials: { origin: url.origin, headers: { authorization: `Bearer ${accessToken}` } },
        }),
        ...(form && { body: new URLSearchParams(form).toString() }),
        ...(signal && { signal }),
      });
    } catch (cause) {
      signal?.throwIfAborted();
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw stravaError('unavailable', `Strava could not be reached: ${reason} Try again later.`, { cause });
    }
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}

/** The path without ids, so that failures of one activity do not block the others. */
function operationOf({ pathname }: URL): string {
  return pathname.replaceAll(/\/\d+/g, '/{id}');
}

/** Parses a body as JSON; undefined if it is not. */
export function parseJson({ body }: HttpResponse): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
