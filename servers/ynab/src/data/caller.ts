import { createHash } from 'node:crypto';
import type { ApiCaller } from '../api/budget-api.ts';
import { CallCounts } from '../collaborators/call-counts.ts';
import type { OutputSettings } from '../collaborators/budget-formatter.ts';

/** The settings of one access token. Nothing of them is visible to callers with another token. */
export interface Caller extends ApiCaller {
  /** Set by `set_default_budget`. */
  defaultBudgetId: string | undefined;
  /** Set by `set_output_format`. */
  output: OutputSettings;
  readonly calls: CallCounts;
}

const MAX_CALLERS = 1000;

/** The callers of this process by access token, and objects that are created once for each. Beyond 1,000 callers, those of the least recently used one are dropped. */
export class Callers<TParts> {
  readonly #parts = new Map<string, TParts>();
  readonly #output: OutputSettings;
  readonly #create: (caller: Caller) => TParts;
  #last: { readonly token: string; readonly parts: TParts } | undefined;

  constructor(output: OutputSettings, create: (caller: Caller) => TParts) {
    this.#output = output;
    this.#create = create;
  }

  of(token: string): TParts {
    // Most calls are those of the previous caller, which is at the end already.
    if (this.#last?.token === token) return this.#last.parts;
    const parts = this.#parts.get(token) ?? this.#create(this.#createCaller(token));
    this.#last = { token, parts };
    // Moves the caller to the end: the first one is the least recently used.
    this.#parts.delete(token);
    this.#parts.set(token, parts);
    const [oldest] = this.#parts.keys();
    if (this.#parts.size > MAX_CALLERS && oldest !== undefined) this.#parts.delete(oldest);
    return parts;
  }

  #createCaller(token: string): Caller {
    const key = createHash('sha256').update(token).digest('hex').slice(0, 32);
    return { key, token, defaultBudgetId: undefined, output: this.#output, calls: new CallCounts() };
  }
}
