import { ToolError, ValidationError } from 'toolwright';
import {
  InvalidRequestError,
  ProjectMissingError,
  RunnerUnavailableError,
} from '../domain/request-errors.ts';
import { NotFoundError, TooManyRunsError } from '../domain/runs/run-errors.ts';

/** Converts the errors of the domain: invalid fields to issues of the arguments, the others to errors whose message the caller sees. */
export async function fromDomain<TValue>(run: () => Promise<TValue> | TValue): Promise<TValue> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof InvalidRequestError) throw new ValidationError(error.issues);
    if (error instanceof NotFoundError)
      throw new ValidationError([{ path: [error.field], message: error.message }]);
    if (error instanceof RunnerUnavailableError || error instanceof ProjectMissingError)
      throw new ToolError(error.message, { cause: error });
    if (error instanceof TooManyRunsError) {
      const suggestions = error.runIds.map(
        (id) => `Wait until the run ${id} has ended, or end it with cancel_run.`,
      );
      throw new ToolError(error.message, { cause: error, suggestions });
    }
    throw error;
  }
}
