import {
  assertOptions,
  CLOCK,
  FUNCTION,
  MAX_TIMER_MS,
  numberFrom,
  objectWith,
} from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { toLoggedError } from '../../errors/log-thrown.ts';
import { MemoryCacheStore } from '../../stores/cache-store.ts';
import type { CacheStore } from '../../stores/cache-store.ts';
import { claimLoad } from '../../stores/claimed-load.ts';
import type { ClaimedLoad, ClaimLoadOptions, HeldClaim } from '../../stores/claimed-load.ts';
import type { Cancellation } from '../../base/time/cancellation.ts';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { hasAddedMembers } from '../add-to-context.ts';
import type { PolicySubject } from '../context.ts';
import type { Dialogue } from '../dialogue.ts';
import { setMemoryState } from '../../stores/memory-state.ts';
import type { Middleware, MiddlewareCall } from '../middleware.ts';
import { Passed } from '../passed.ts';
import { cancellationOf } from '../parts/call-cancellation.ts';
import { asPassed } from '../parts/call-outcome.ts';
import { hash } from '../../base/hash.ts';
import { authorizationOf } from '../parts/caller-identity.ts';
import { toExactText } from '../../format/exact-text.ts';
import { Flights, toLanding } from '../parts/flights.ts';
import type { Flight } from '../parts/flights.ts';
import { isSnapshot, openSnapshot, takeSnapshot } from '../parts/snapshot.ts';
import type { Snapshot } from '../parts/snapshot.ts';
import { TagGenerations } from '../parts/tag-generations.ts';
import { toCancelled, unlessCancelled } from '../parts/until-cancelled.ts';

/** Options of {@link resultCache}. */
export interface ResultCacheOptions {
  /** Lifetime of a cached result in milliseconds. Default: 60,000. */
  readonly ttlMs?: number;
  /** Default: in memory, 1,000 entries. A shared store receives plain data and must return it unchanged, including dates. */
  readonly store?: CacheStore;
  /** Tags that a call reads or changes. Default: the tool of the call, and the tags of the tool or action. */
  readonly tags?: (subject: PolicySubject) => readonly string[];
  /**
   * Further parts of the cache key beside input and caller, such as a tenant or a user from the context. Without it, anonymous calls are
   * not cached if the context has members of the application, because these may distinguish callers.
   */
  readonly by?: (call: MiddlewareCall) => string;
  /** Maximum size of cached results and arguments in characters of JSON. Default: 100,000. */
  readonly maxChars?: number;
  /** Maximum time that other calls wait for a running load, in milliseconds. Default: 60,000. */
  readonly maxSharedMs?: number;
  /** Clock, for tests. Default: the system clock. */
  readonly clock?: Clock;
}

const OPTIONS: Rules<keyof ResultCacheOptions> = {
  ttlMs: numberFrom(1),
  store: objectWith('get', 'set', 'delete'),
  tags: FUNCTION,
  by: FUNCTION,
  maxChars: numberFrom(1),
  maxSharedMs: numberFrom(1, MAX_TIMER_MS),
  clock: CLOCK,
};

/** The middleware returned by {@link resultCache}, with a method to invalidate results. */
export type ResultCache = Middleware & {
  /** Invalidates all cached results with one of these tags. Rejects if the store fails. */
  readonly invalidate: (tags: readonly string[]) => Promise<void>;
};

/**
 * Caches the results of read-only calls, separately per server and caller (principal, scopes, roles, and access token or else claims). Servers that
 * share a store need different names. Failures are never cached, nor values without an exact copy, such as class instances and functions.
 *
 * Equal concurrent calls share one run of the handler. If the call that runs it is cancelled or takes longer than `maxSharedMs`, the first
 * waiting call runs the handler with its own signal. Other failures are shared. With a store that has claims, such as `RedisCacheStore`, the
 * calls of all machines share one run; a failure is shared within a machine.
 *
 * A call that is not read-only invalidates all results that share a tag with it, after it has run, even if it failed. It also invalidates
 * the results of its own tool. Loads that started earlier are not cached. If the store fails, calls run uncached.
 *
 * Members that a registry or middleware adds to the context are not part of the key: add them with `by`.
 *
 * @example
 * const cached = resultCache({ ttlMs: 30_000 });
 * const registry = new ToolRegistry().use(cached);
 * onImportFinished(() => cached.invalidate(['orders']));
 */
export function resultCache(options: ResultCacheOptions = {}): ResultCache {
  assertOptions('resultCache', options, OPTIONS);
  const { ttlMs = 60_000, maxSharedMs = 60_000, maxChars = 100_000, clock = systemClock } = options;
  const store = options.store ?? new MemoryCacheStore({ clock });
  const cache: Cache = {
    store,
    generations: new TagGenerations(store),
    flights: new Flights(maxSharedMs, clock),
    claiming: new Map(),
    maxSharedMs,
    tagsOf: options.tags ?? (({ tool, tags }) => [`tool:${tool}`, ...tags]),
    by: options.by,
    ttlMs,
    maxChars,
    clock,
  };
  const middleware: Middleware = (call) => {
    const { isReadOnly, isPreview, isOwn } = call.subject;
    // A preview shows the current state. Results of the framework's own tools depend on the catalog and the policy, not on the input alone.
    if (isPreview === true || isOwn === true) return call.next();
    return isReadOnly ? read(cache, call) : change(cache, call);
  };
  setMemoryState(middleware, store instanceof MemoryCacheStore ? ['cache'] : []);
  return Object.assign(middleware, {
    invalidate: (tags: readonly string[]): Promise<void> => cache.generations.renew(tags),
  });
}

interface Cache {
  readonly store: CacheStore;
  readonly generations: TagGenerations;
  readonly flights: Flights;
  /** Requests of claims by key, until their loads have ended. */
  readonly claiming: Map<string, Claiming>;
  readonly maxSharedMs: number;
  readonly tagsOf: (subject: PolicySubject) => readonly string[];
  readonly by: ((call: MiddlewareCall) => string) | undefined;
  readonly ttlMs: number;
  readonly maxChars: number;
  readonly clock: Clock;
}

/** An entry of the store. */
interface Entry {
  readonly generations: string;
  readonly snapshot: Snapshot;
}

async function change(cache: Cache, { context, subject, next }: MiddlewareCall): Promise<Passed> {
  try {
    return await next();
  } finally {
    const tags = cache.tagsOf(subject);
    await cache.generations.renew(tags).catch((error: unknown) => {
      // The change has already happened, so the call must not fail. Stale results live until they expire.
      context.log.error('cached results could not be invalidated', { tags, error: toLoggedError(error) });
    });
  }
}

async function read(cache: Cache, call: MiddlewareCall): Promise<Passed> {
  // Read first, because a deadline in front may remove it from the context.
  const cancellation = cancellationOf(call.context);
  const key = await keyOf(cache, call);
  if (key === undefined) return call.next();
  const tags = cache.tagsOf(call.subject);
  const until = cache.clock.now() + cache.maxSharedMs;
  for (;;) {
    // Before the load, so that an invalidation during the load makes its result stale.
    const reading = attempt(call, () => cache.generations.current(tags));
    // In the same round trip. If a call of this process has claimed the load, it has most likely the same generations.
    const early = cache.claiming.has(key)
      ? undefined
      : requestClaim(cache, call, { key, reading, cancellation, until });
    const generations = await reading;
    const flightKey = `${key} ${generations}`;
    const running = generations === undefined ? undefined : cache.flights.find(flightKey);
    if (generations !== undefined && running === undefined) {
      const flight = cache.flights.start(flightKey, cancellation);
      if (flight !== undefined)
        return lead(cache, call, {
          key,
          generations,
          flight,
          cancellation,
          claiming: early ?? requestClaim(cache, call, { key, reading, cancellation, until }),
        });
    }
    early?.end();
    if (running === undefined) return call.next();
    const landing = await unlessCancelled(running.landing, cancellation);
    if (landing.kind === 'landed') return new Passed(openSnapshot(landing.snapshot));
    if (landing.kind === 'failed') throw landing.error;
    if (landing.kind === 'unshareable') return call.next();
  }
}

/** A request of a claim. */
interface Claiming {
  /** Undefined if the store has failed. */
  readonly load: Promise<ClaimedLoad | undefined>;
  /** Whether the handler has begun. */
  readonly isRunning: () => boolean;
  /** Marks the begin of the handler: from now on, other calls of this process do not wait for the claim. */
  readonly begin: () => void;
  /** Stops waiting, and gives the claim up unless the load has ended it. */
  readonly end: () => void;
}

/** Requests the claim to load a result, or the result; undefined if the store has no claims. */
function requestClaim(
  { store: { claims }, claiming, clock }: Cache,
  call: MiddlewareCall,
  { key, reading, cancellation, until }: Reading,
): Claiming | undefined {
  if (claims === undefined) return undefined;
  let hasEnded = false;
  let isRunning = false;
  const options: ClaimLoadOptions = {
    clock,
    isUsable: async (entry) => {
      const generations = await reading;
      // Without generations, the call runs uncached and needs no claim.
      return generations === undefined || snapshotOf(entry, generations) !== undefined;
    },
    // A load of this process that this call does not share is stale, abandoned or cancelled. The store drops its claim when this call stores a result.
    isOver: () => hasEnded || cancellation.isCancelled || claiming.get(key)?.isRunning() === true,
    maxWaitMs: until - clock.now(),
  };
  const load = attempt(call, () => claimLoad(claims, key, options));
  const end = (): void => {
    hasEnded = true;
    if (claiming.get(key) === request) claiming.delete(key);
    void load.then((loaded) =>
      loaded?.kind === 'claimed' ? attempt(call, () => loaded.claim.end()) : undefined,
    );
  };
  const begin = (): void => {
    isRunning = true;
    if (claiming.get(key)?.isRunning() !== true) claiming.set(key, request);
  };
  const request: Claiming = { load, isRunning: () => isRunning, begin, end };
  if (!claiming.has(key)) claiming.set(key, request);
  return request;
}

interface Reading {
  readonly key: string;
  /** The generations of the tags; undefined if the store has failed. */
  readonly reading: Promise<string | undefined>;
  readonly cancellation: Cancellation;
  /** Time at which the call stops waiting for another load. */
  readonly until: number;
}

interface Lead {
  readonly key: string;
  readonly generations: string;
  readonly flight: Flight;
  readonly cancellation: Cancellation;
  readonly claiming: Claiming | undefined;
}

/** Finds or loads the result for all waiting calls. */
async function lead(
  cache: Cache,
  call: MiddlewareCall,
  { key, generations, flight, cancellation, claiming }: Lead,
): Promise<Passed> {
  try {
    const claimed = await claiming?.load;
    const found =
      claiming === undefined
        ? await attempt(call, () => cache.store.get(key))
        : claimed?.kind === 'found'
          ? claimed.value
          : undefined;
    const cached = snapshotOf(found, generations);
    if (cached !== undefined) {
      flight.end({ kind: 'landed', snapshot: cached });
      return new Passed(openSnapshot(cached));
    }
    if (cancellation.isCancelled) throw toCancelled(cancellation);
    claiming?.begin();
    flight.begin();
    const returned = await call.next();
    // Immediately: from here on the value belongs to the outer middleware, which may change it.
    const passed = asPassed(returned);
    const snapshot =
      passed === undefined || hasAsked(call) ? undefined : takeSnapshot(passed.value, cache.maxChars);
    if (passed !== undefined && snapshot !== undefined && !passed.isError) {
      const claim = claimed?.kind === 'claimed' ? claimed.claim : undefined;
      await keep(cache, call, { key, generations, snapshot, claim });
    }
    flight.end(snapshot === undefined ? { kind: 'unshareable' } : { kind: 'landed', snapshot });
    return returned;
  } catch (error) {
    flight.end(toLanding(error));
    throw error;
  } finally {
    claiming?.end();
  }
}

/** Responses of the client are not part of the key, so such a result belongs to this call only. */
// defence: results-after-an-elicitation
function hasAsked({ context }: MiddlewareCall): boolean {
  return (context as { readonly dialogue?: Dialogue }).dialogue?.hasAsked === true;
}

function snapshotOf(entry: unknown, generations: string): Snapshot | undefined {
  const { generations: stored, snapshot } = (entry ?? {}) as Partial<Entry>;
  return stored === generations && isSnapshot(snapshot) ? snapshot : undefined;
}

/** Stores a result unless it is already stale. Readers compare the generations again, because there is no lock between the two checks. */
async function keep(
  { store, generations, tagsOf, ttlMs }: Cache,
  call: MiddlewareCall,
  { key, claim, ...entry }: Entry & { readonly key: string; readonly claim: HeldClaim | undefined },
): Promise<void> {
  await attempt(call, async () => {
    // While the claim is held, no other call stores a result that this one could replace.
    if (claim !== undefined) return claim.end({ value: entry, ttlMs });
    if ((await generations.current(tagsOf(call.subject))) !== entry.generations) return;
    await store.set(key, entry, ttlMs);
  });
}

/** A failing store counts as a cache miss. */
async function attempt<TResult>(
  { context, subject }: MiddlewareCall,
  run: () => TResult | PromiseLike<TResult>,
): Promise<TResult | undefined> {
  try {
    return await run();
  } catch (error) {
    context.log.warning('the result cache failed', { name: subject.name, error: toLoggedError(error) });
    return undefined;
  }
}

/** Hash of caller, tool and input, so that the store sees neither tokens nor arguments. Undefined if there is no exact key. */
async function keyOf(cache: Cache, call: MiddlewareCall): Promise<string | undefined> {
  const { input, context, subject } = call;
  const { principal, accessToken } = context;
  const isAnonymous = principal === undefined && accessToken === undefined;
  if (cache.by === undefined && isAnonymous && hasAddedMembers(context)) return undefined;
  const rights = [principal?.scopes, principal?.roles].map((each) => each?.toSorted() ?? []);
  // The key contains the token, and so its claims. Without a token, two logins of one user may differ in nothing else.
  const claims = accessToken === undefined ? toExactText(principal?.claims, cache.maxChars) : '';
  const said = toExactText(input, cache.maxChars);
  if (said === undefined || claims === undefined) return undefined;
  const parts = [
    // defence: owner-of-a-cached-result
    authorizationOf(context),
    rights,
    claims,
    [subject.kind, subject.namespace, subject.name],
    cache.by?.(call) ?? null,
    said,
  ];
  // defence: hashed-keys-of-results
  return `toolwright:result:${await hash(JSON.stringify(parts))}`;
}
