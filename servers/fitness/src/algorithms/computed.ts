/** An algorithm that does not apply to its input; `reason` is a sentence for the caller. */
export interface Refused {
  readonly ok: false;
  readonly reason: string;
}

/** The result of an algorithm. No algorithm of this folder throws, returns NaN or guesses a missing value. */
export type Computed<Value> = { readonly ok: true; readonly value: Value } | Refused;

export function computed<Value>(value: Value): Computed<Value> {
  return { ok: true, value };
}

export function refused(reason: string): Refused {
  return { ok: false, reason };
}
