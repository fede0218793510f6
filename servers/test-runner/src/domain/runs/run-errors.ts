/** More runs than are allowed at the same time. */
export class TooManyRunsError extends Error {
  override readonly name = 'TooManyRunsError';
  /** The running runs of the caller. */
  readonly runIds: readonly string[];

  constructor(message: string, runIds: readonly string[]) {
    super(message);
    this.runIds = runIds;
  }
}

/** A run, or a test of a run, that the caller does not have. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
  /** The argument that names it. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}
