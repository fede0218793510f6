/** State of a call between rounds. */
export interface CallState {
  /** Responses of the client so far, as received. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Recorded results of steps. */
  readonly steps: Readonly<Record<string, { readonly value?: unknown }>>;
  /** Number of rounds. */
  readonly round: number;
}

/** A call state as it is encrypted. */
export interface SealedCallState extends CallState {
  /** Random, so that its use can be recorded. */
  readonly id: string;
}
