/** One invalid field of a request. */
export interface FieldIssue {
  /** For example `['node_ids', 2]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A request that starts no process. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';
  readonly issues: readonly FieldIssue[];

  constructor(issues: readonly FieldIssue[]) {
    super(issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
    this.issues = issues;
  }
}

/** The project has no interpreter, or the interpreter has no test runner. */
export class RunnerUnavailableError extends Error {
  override readonly name = 'RunnerUnavailableError';
  readonly interpreter: string;

  constructor(interpreter: string, message: string) {
    super(message);
    this.interpreter = interpreter;
  }
}

/** The project folder was removed while the server runs. */
export class ProjectMissingError extends Error {
  override readonly name = 'ProjectMissingError';

  constructor(project: string) {
    super(
      `The project folder ${project} does not exist any more. Restore it, or start the server with another folder.`,
    );
  }
}
