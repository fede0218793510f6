import { describeThrown } from '../../errors/describe-thrown.ts';
import { DefinitionError } from '../../errors/errors.ts';
import type { Operation } from '../model/operation.ts';

/** Asks a function of the author; one that throws is a mistake in a definition, and the message says where. */
export function askPredicate(
  where: string,
  predicate: (operation: Operation) => boolean,
  operation: Operation,
): boolean {
  try {
    return predicate(operation);
  } catch (error) {
    const { message } = describeThrown(error);
    throw new DefinitionError(`${where} failed for "${operation.key}": ${message}`, { cause: error });
  }
}
