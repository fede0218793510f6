import { AsyncLocalStorage } from 'node:async_hooks';
import { ResponseFormatter } from 'toolwright/collaborators';

/** Output of JSON results, chosen by a caller with `set_output_format`. */
export interface OutputSettings {
  readonly minify: boolean;
  readonly prettySpaces: number;
}

/** Formats JSON with the settings of a caller. The hint of a call (`minify`, `_minify`, `__minify`) takes precedence. */
export class BudgetFormatter extends ResponseFormatter {
  readonly #hint = new AsyncLocalStorage<boolean>();
  readonly #texts = new WeakMap<object, { readonly spaces: number; readonly text: string }>();

  override runWithMinifyOverride<TResult>(minify: boolean | undefined, run: () => TResult): TResult {
    if (minify === undefined) return run();
    return this.#hint.run(minify, () => super.runWithMinifyOverride(minify, run));
  }

  /** The same object is formatted once: cached data must not be changed. */
  formatFor({ minify, prettySpaces }: OutputSettings, value: object): string {
    const isShort = this.#hint.getStore() ?? minify;
    const spaces = isShort ? 0 : prettySpaces;
    const known = this.#texts.get(value);
    if (known?.spaces === spaces) return known.text;
    const text = new ResponseFormatter({ prettySpaces }).format(value, { minify: isShort });
    this.#texts.set(value, { spaces, text });
    return text;
  }
}
