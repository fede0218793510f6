import { randomUUID } from 'node:crypto';
import { Database } from './database/database.ts';
import { isDate, toDate } from './dates/dates.ts';
import { createAccess } from './http/access.ts';
import type { Access, AccessOptions } from './http/access.ts';
import { ApiError } from './http/api-error.ts';
import { execute } from './http/execute.ts';
import { RateLimit } from './http/rate-limit.ts';
import { readBody } from './http/read-body.ts';
import { route } from './http/router.ts';
import { toDigest } from './plans/user.ts';
import { getUser } from './sample-data/get-user.ts';

/** A source of the time. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
}

export interface BudgetApiOptions extends AccessOptions {
  /** The SQLite file; it is created if it does not exist. `:memory:` keeps the data in memory. */
  readonly file: string;
  /** Default: the time of the system. */
  readonly clock?: Clock | undefined;
  /** Requests that each user may send in any hour. Default: 200. */
  readonly requestsPerHour?: number | undefined;
  /** The same seed, token and date give the same sample data. Default: 1. */
  readonly seed?: number | undefined;
  /** The date that counts as today, `YYYY-MM-DD`. Default: the date of the clock, UTC. */
  readonly today?: string | undefined;
  /** Called with each error that became a 500 response. Default: `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A YNAB API in this process. */
export interface BudgetApi {
  /** Responds to a request whose path begins with `/v1`. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Closes the file. Call it after the last response. */
  close(): void;
}

/** Creates a YNAB API whose data are in one SQLite file. Each token is a user with sample budgets of its own. */
export function createBudgetApi(options: BudgetApiOptions): BudgetApi {
  const { clock = Date, requestsPerHour = 200, seed = 1, onError = console.error } = options;
  if (!Number.isInteger(requestsPerHour) || requestsPerHour < 1)
    throw new Error(`Invalid requestsPerHour ${requestsPerHour}: use an integer of at least 1.`);
  if (options.today !== undefined && !isDate(options.today))
    throw new Error(`Invalid today "${options.today}": use a date such as 2026-11-18.`);
  const access = createAccess(options);
  const database = new Database(options.file);
  const limit = new RateLimit(requestsPerHour);
  const moment = () => {
    const now = clock.now();
    return { database, now, today: options.today ?? toDate(now), seed, newId: () => randomUUID() };
  };
  for (const entry of options.tokens ?? [])
    getUser(moment(), toDigest(typeof entry === 'string' ? entry : entry.token));

  const respond = async (request: Request, headers: Headers): Promise<Response> => {
    const { digest, scope } = access(request.headers.get('authorization'));
    const { allowed, header } = limit.take(digest, clock.now());
    headers.set('x-rate-limit', header);
    if (!allowed) throw new ApiError('too_many_requests', 'Too many requests');
    const url = new URL(request.url);
    const { operation, params } = route(request.method, url.pathname);
    assertScope({ digest, scope }, request.method);
    const body = request.method === 'GET' ? undefined : await readBody(request);
    const now = moment();
    const user = getUser(now, digest);
    const { status = 200, data } = execute(operation, {
      ...now,
      user,
      params,
      query: url.searchParams,
      body,
    });
    return Response.json({ data }, { status, headers });
  };

  return {
    async fetch(request) {
      const headers = new Headers();
      try {
        return await respond(request, headers);
      } catch (error) {
        if (!(error instanceof ApiError)) onError(error);
        const failure =
          error instanceof ApiError
            ? error
            : new ApiError('internal_server_error', 'An unexpected error occurred');
        return Response.json(failure.body, { status: failure.status, headers });
      }
    },
    close: () => database.close(),
  };
}

function assertScope({ scope }: Access, method: string): void {
  if (scope === 'read-only' && method !== 'GET')
    throw new ApiError('unauthorized_scope', 'The access token is read-only');
}
