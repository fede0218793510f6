import { CallRefusedError, DefinitionError, ToolwrightError } from '../../errors/errors.ts';
import { assertOptions, BOOLEAN, wholeNumber } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { createId } from '../../base/random-id.ts';
import { hash } from '../../base/hash.ts';
import { serialize } from '../../format/serialize.ts';
import type { StateStore } from './state-store.ts';

/** Values that the server keeps for one caller between calls, available as `context.state`. No other caller and no other server sees them. */
export interface CallerState {
  /** Returns the value, or undefined if there is none or it has expired. */
  get<TValue>(key: string): Promise<TValue | undefined>;
  /** Stores a value as JSON. Returns false if `ifAbsent` is set and there is a value already. Rejects with `STATE_FULL` if there is no room. */
  set(key: string, value: unknown, options?: StateOptions): Promise<boolean>;
  /** Returns and deletes the value: of concurrent calls only one gets it. */
  take<TValue>(key: string): Promise<TValue | undefined>;
  delete(key: string): Promise<void>;
}

/** Options of `context.createHandle`. */
export interface HandleOptions {
  /** Lifetime in milliseconds. Default: 3,600,000 (1 hour). */
  readonly ttlMs?: number;
}

/** Options of `context.state.set`. */
export interface StateOptions {
  /** Lifetime in milliseconds. Default: 86,400,000 (1 day). */
  readonly ttlMs?: number;
  /** Keeps a value that is already stored. Default: false. */
  readonly ifAbsent?: boolean;
}

const STATE_TTL_MS = 86_400_000;
const HANDLE_TTL_MS = 3_600_000;

const HANDLE_RULES: Rules<keyof HandleOptions> = { ttlMs: wholeNumber(1) };
const STATE_RULES: Rules<keyof StateOptions> = { ...HANDLE_RULES, ifAbsent: BOOLEAN };

/** The parts of a call that its state needs. */
export interface CallerStateParts {
  readonly store: StateStore;
  /** Key of the owner; undefined for a caller who cannot be told from others. */
  readonly owner: string | undefined;
  /** Maximum size of a value. */
  readonly maxBytes: number;
}

/** State and handles of the caller of one call. Its functions can be detached. */
export class StoredState {
  readonly state: CallerState;
  readonly #parts: CallerStateParts;
  #owner: Promise<string> | undefined;

  constructor(parts: CallerStateParts) {
    this.#parts = parts;
    const { store } = parts;
    this.state = {
      get: async (key) => parse(await store.get(await this.#findOwner(), toStateKey(key))),
      set: async (key, value, options = {}) => {
        assertOptions('context.state', options, STATE_RULES);
        const { ttlMs = STATE_TTL_MS, ifAbsent = false } = options;
        const stored = this.#write(`key "${key}"`, value);
        return store.set(await this.#findOwner(), toStateKey(key), stored, { ttlMs, ifAbsent });
      },
      take: async (key) => parse(await store.take(await this.#findOwner(), toStateKey(key))),
      delete: async (key) => store.delete(await this.#findOwner(), toStateKey(key)),
    };
  }

  readonly createHandle = async (value: unknown, options: HandleOptions = {}): Promise<string> => {
    assertOptions('context.createHandle', options, HANDLE_RULES);
    const { ttlMs = HANDLE_TTL_MS } = options;
    const handle = createId();
    const stored = this.#write('a handle', value);
    await this.#parts.store.set(await this.#findOwner(), `handle:${handle}`, stored, { ttlMs });
    return handle;
  };

  readonly readHandle = async <TValue>(handle: string): Promise<TValue | undefined> => {
    const owner = await this.#findOwner();
    const isHandle = typeof handle === 'string' && HANDLE.test(handle);
    return isHandle ? parse(await this.#parts.store.get(owner, `handle:${handle}`)) : undefined;
  };

  /** Digest of the key, which may contain an access token. */
  async #findOwner(): Promise<string> {
    const { owner } = this.#parts;
    if (owner === undefined) throw new CallRefusedError('ANONYMOUS_CALLER', ANONYMOUS);
    this.#owner ??= hash(owner);
    return this.#owner;
  }

  #write(which: string, value: unknown): string {
    const written = serialize(value, { maxBytes: this.#parts.maxBytes });
    if (written.ok) return written.json;
    throw new ToolwrightError('INVALID_OUTPUT', `The value of ${which} cannot be stored: ${written.reason}.`);
  }
}

/** An id of `createId`; the model may send anything. */
const HANDLE = /^[\da-f]{1,64}$/;

const ANONYMOUS =
  'This call stores data for its caller, but the caller is anonymous and shares the connection with others. Send credentials; the server must authenticate requests.';

/** As JSON: a database cannot keep every character, such as one half of a surrogate pair. */
function toStateKey(key: string): string {
  if (typeof key === 'string' && key !== '') return `state:${JSON.stringify(key)}`;
  throw new DefinitionError("Missing key of a value. Write: context.state.get('cart').", {
    option: 'key',
    expected: 'a non-empty string',
  });
}

/** A value that is not JSON counts as missing: stores may be shared with other programs. */
function parse<TValue>(stored: string | undefined): TValue | undefined {
  if (stored === undefined) return undefined;
  try {
    return JSON.parse(stored) as TValue;
  } catch {
    return undefined;
  }
}
