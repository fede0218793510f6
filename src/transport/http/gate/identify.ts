import { toLoggedError } from '../../../errors/log-thrown.ts';
import type { Caller } from '../../../pipeline/tool/policy.ts';
import { membersOf, readPrincipal } from '../../../pipeline/tool/read-principal.ts';
import { isPromiseLike } from '../../../base/maybe-promise.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { Served } from '../../../wire/served/served.ts';
import type { HttpRequest } from '../message/http-message.ts';
import { findAddress } from './client-address.ts';
import { credentialHider } from '../message/hide-credentials.ts';
import { ANONYMOUS, HTTP_DEFAULTS, refuse } from '../message/http-options.ts';
import type { HttpOptions, Refusal } from '../message/http-options.ts';
import { VerifiedCaller } from './protect.ts';
import type { Identify } from './protect.ts';

/** The caller of a request, or its rejection. */
export type Identified = { readonly caller: Caller } | Refusal;

/** Options of {@link identify}. */
export interface IdentifyOptions extends Pick<HttpOptions, 'authenticateTimeoutMs' | 'clientAddress'> {
  readonly authenticate?: Identify | undefined;
}

/** Calls `authenticate`. If it fails in any way, the request is rejected. */
export function identify(
  request: HttpRequest,
  options: IdentifyOptions,
  served: Served,
): MaybePromise<Identified> {
  const { authenticate, authenticateTimeoutMs = HTTP_DEFAULTS.authenticateTimeoutMs } = options;
  const asNobody = (): Identified => {
    // defence: anonymous-callers
    return { caller: { address: findAddress(request, options, served) } };
  };
  if (authenticate === undefined) return asNobody();
  const read = (found: unknown): Identified => {
    if (found === ANONYMOUS) return asNobody();
    // The header may have another token, which was not verified.
    if (found instanceof VerifiedCaller)
      return { caller: { principal: membersOf(found.principal), accessToken: found.accessToken } };
    return toIdentified(found, bearerOf(request), served);
  };
  const fail = (error: unknown): Identified => {
    const hide = credentialHider(request);
    served.logger.error('authenticate failed; the request is rejected', {
      error: toLoggedError(error, hide),
    });
    return refuse({ status: 503, message: 'The request could not be authenticated now. Try again later.' });
  };
  try {
    const found = authenticate({
      method: request.method,
      url: request.target,
      address: request.address,
      request: request.request,
      host: request.host,
      isRepeated: request.joinsHeaders ? undefined : (name) => request.isRepeated(name.toLowerCase()),
      headers: { get: (name) => request.header(name.toLowerCase()) ?? null },
    });
    if (!isPromiseLike(found)) return read(found);
    // defence: refusal-where-it-rejects
    const answered = Promise.resolve(found).then(read).catch(fail);
    // defence: time-of-authenticate
    return within(answered, authenticateTimeoutMs, served);
  } catch (error) {
    // defence: refusal-where-it-throws
    return fail(error);
  }
}

function within(
  answered: Promise<Identified>,
  timeoutMs: number,
  { clock, logger }: Served,
): Promise<Identified> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(() => {
      logger.error('authenticate timed out; the request is rejected', { timeoutMs });
      resolve(
        refuse({ status: 503, message: 'The request could not be authenticated in time. Try again later.' }),
      );
    }, timeoutMs);
    void answered.then((identified) => {
      cancel();
      resolve(identified);
    });
  });
}

/** Allowed statuses: any other, such as 200, would not signal a rejection. */
const STATUSES: ReadonlySet<unknown> = new Set<Refusal['status']>([400, 401, 403, 429, 503]);

function toIdentified(found: unknown, accessToken: string | undefined, { logger }: Served): Identified {
  if (isRefusal(found)) {
    if (STATUSES.has(found.status)) return found;
    throw new TypeError(
      `authenticate: the status of refuse() must be 400, 401, 403, 429 or 503; received ${String(found.status)}.`,
    );
  }
  const principal = readPrincipal(found, { name: 'authenticate', otherwise: 'refuse()' }, logger);
  // defence: principals
  if (principal === undefined || principal === 'invalid') return refuse();
  return { caller: { principal, accessToken } };
}

function isRefusal(found: unknown): found is Refusal {
  return (found as Partial<Refusal> | null | undefined)?.refused === true;
}

function bearerOf(request: HttpRequest): string | undefined {
  // defence: tokens-of-headers-alone
  return /^bearer +(?<token>\S+)$/i.exec(request.header('authorization') ?? '')?.groups?.['token'];
}
