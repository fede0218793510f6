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
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { hasAddedMembers } from '../add-to-context.ts';
import type { PolicySubject } from '../context.ts';
import type { Dialogue } from '../dialogue.ts';
import type { Middleware, MiddlewareCall } from '../middleware.ts';
import { Passed } from '../passed.ts';
import { toCancelled, unlessAborted } from '../parts/abort.ts';
import { asPassed } from '../parts/call-outcome.ts';
import { hash } from '../../base/hash.ts';
import { authorizationOf } from '../parts/caller-identity.ts';
import { toExactText } from '../../format/exact-text.ts';
import { Flights, toLanding } from '../parts/flights.ts';
import type { Flight } from '../parts/flights.ts';
import { isSnapshot, openSnapshot, takeSnapshot } from '../parts/snapshot.ts';
import type { Snapshot } from '../parts/snapshot.ts';
import { TagGenerations } from '../parts/tag-generations.ts';

/** Options of {@link resultCache}. */
export interface ResultCacheOptions {
  /** How long a result may be used. Default: one minute. */
  readonly ttlMs?: number;
  /** Default: in memory, 1,000 entries. A shared one gets plain data, which it must give back as it was, dates included. */
  readonly store?: CacheStore;
  /** What a call reads or changes. Default: the tool it belongs to, and the tags of the tool or action. */
  readonly tags?: (subject: PolicySubject) => readonly string[];
  /**
   * What results depend on beside input and caller: a tenant, a user that a middleware has put into the context. Without it, calls of
   * nobody in particular are not cached where the context has members of the application's own: they may be what tells callers apart.
   */
  readonly by?: (call: MiddlewareCall) => string;
  /** Results and arguments that are longer, as characters of JSON, are not cached. Default: 100,000. */
  readonly maxChars?: number;
  /** Later callers do not wait for a load that takes longer: it may never end. Default: one minute. */
  readonly maxSharedMs?: number;
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

/** What {@link resultCache} makes: a middleware that can be told what has changed. */
export type ResultCache = Middleware & {
  /** Makes every cached result invalid that has one of the tags. Rejects when the store fails. */
  readonly invalidate: (tags: readonly string[]) => Promise<void>;
};

/**
 * Keeps the results of read-only calls, for each caller (principal, scopes and access token) by itself. Registries that share a cache
 * need names of their own. Failures are never
 * kept, nor what has no exact copy: instances of classes, functions.
 *
 * Equal calls at the same time share one run of the handler. When the one that runs it is cancelled, or takes longer than
 * `maxSharedMs`, the first of those that wait takes over and runs the handler under its own signal; ordinary failures are shared.
 *
 * A call that is not read-only makes every result invalid that shares a tag with it, after it has run, whether it succeeded or not: a
 * failed call may have changed something too. A load that began before that is not kept. Where the store fails, calls run uncached.
 *
 * A call that is not read-only also makes the results of its own tool invalid. Members that a registry or a middleware
 * adds to the context are not part of the key: name what matters with `by`.
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
    tagsOf: options.tags ?? (({ tool, tags }) => [`tool:${tool}`, ...tags]),
    by: options.by,
    ttlMs,
    maxChars,
  };
  const middleware: Middleware = (call) => {
    const { isReadOnly, isPreview, isOwn } = call.subject;
    // A preview shows what is now. What the framework's own tools show depends on the catalog and the policy, not on the input alone.
    if (isPreview === true || isOwn === true) return call.next();
    return isReadOnly ? read(cache, call) : change(cache, call);
  };
  return Object.assign(middleware, {
    invalidate: (tags: readonly string[]): Promise<void> => cache.generations.renew(tags),
  });
}

interface Cache {
  readonly store: CacheStore;
  readonly generations: TagGenerations;
  readonly flights: Flights;
  readonly tagsOf: (subject: PolicySubject) => readonly string[];
  readonly by: ((call: MiddlewareCall) => string) | undefined;
  readonly ttlMs: number;
  readonly maxChars: number;
}

/** What is kept in the store. */
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
      // The change has happened, so it is not undone by failing. What is cached lives on for its time at most.
      context.log.error('cached results could not be invalidated', { tags, error: toLoggedError(error) });
    });
  }
}

async function read(cache: Cache, call: MiddlewareCall): Promise<Passed> {
  // Taken before anything runs, because a deadline in front of us may take it from the context again.
  const { signal } = call.context;
  const key = await keyOf(cache, call);
  if (key === undefined) return call.next();
  const tags = cache.tagsOf(call.subject);
  for (;;) {
    // Before the load: what is loaded counts as of now, and an invalidation from now on makes it worthless.
    const generations = await attempt(call, () => cache.generations.current(tags));
    if (generations === undefined) return call.next();
    const version = { key, generations };
    const flightKey = `${key} ${generations}`;
    const running = cache.flights.find(flightKey);
    if (running === undefined) {
      const flight = cache.flights.start(flightKey, signal);
      return flight === undefined ? call.next() : lead(cache, call, { ...version, flight, signal });
    }
    const landing = await unlessAborted(running.landing, signal);
    if (landing.kind === 'landed') return new Passed(openSnapshot(landing.snapshot));
    if (landing.kind === 'failed') throw landing.error;
    if (landing.kind === 'unshareable') return call.next();
  }
}

interface Lead {
  readonly key: string;
  readonly generations: string;
  readonly flight: Flight;
  readonly signal: AbortSignal;
}

/** Finds or loads the result for all that wait for it. */
async function lead(
  cache: Cache,
  call: MiddlewareCall,
  { flight, signal, ...version }: Lead,
): Promise<Passed> {
  try {
    const found = await find(cache, call, version);
    if (found !== undefined) {
      flight.end({ kind: 'landed', snapshot: found });
      return new Passed(openSnapshot(found));
    }
    if (signal.aborted) throw toCancelled(signal);
    const returned = await call.next();
    // At once: from here on the value belongs to those in front of us, who may change it.
    const passed = asPassed(returned);
    const snapshot =
      passed === undefined || hasAsked(call) ? undefined : takeSnapshot(passed.value, cache.maxChars);
    if (passed !== undefined && snapshot !== undefined && !passed.isError)
      await keep(cache, call, { ...version, snapshot });
    flight.end(snapshot === undefined ? { kind: 'unshareable' } : { kind: 'landed', snapshot });
    return returned;
  } catch (error) {
    flight.end(toLanding(error));
    throw error;
  }
}

/** What the client was asked is not part of the key, so what came of it belongs to this call alone. */
function hasAsked({ context }: MiddlewareCall): boolean {
  return (context as { readonly dialogue?: Dialogue }).dialogue?.hasAsked === true;
}

async function find(
  { store }: Cache,
  call: MiddlewareCall,
  { key, generations }: { key: string; generations: string },
): Promise<Snapshot | undefined> {
  const entry = (await attempt(call, () => store.get(key))) as Partial<Entry> | null | undefined;
  const isValid = entry?.generations === generations && isSnapshot(entry.snapshot);
  return isValid ? entry.snapshot : undefined;
}

/** Keeps a result unless it is outdated already. Readers compare the generations again: between the two looks there is no lock. */
async function keep(
  { store, generations, tagsOf, ttlMs }: Cache,
  call: MiddlewareCall,
  { key, ...entry }: Entry & { readonly key: string },
): Promise<void> {
  await attempt(call, async () => {
    if ((await generations.current(tagsOf(call.subject))) !== entry.generations) return;
    await store.set(key, entry, ttlMs);
  });
}

/** A cache that fails is a cache that has nothing. */
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

/** Who calls what with what, hashed: the store sees neither tokens nor arguments. Undefined when it cannot be said exactly. */
async function keyOf(cache: Cache, call: MiddlewareCall): Promise<string | undefined> {
  const { input, context, subject } = call;
  const caller = authorizationOf(context);
  if (cache.by === undefined && caller[0] === 'anonymous' && hasAddedMembers(context)) return undefined;
  const scopes = context.principal?.scopes?.toSorted() ?? [];
  const said = toExactText(input, cache.maxChars);
  if (said === undefined) return undefined;
  const parts = [caller, scopes, subject.namespace, subject.name, cache.by?.(call) ?? null, said];
  return `toolwright:result:${await hash(JSON.stringify(parts))}`;
}
