import { describeThrown } from '../../errors/describe-thrown.ts';
import { DefinitionError } from '../../errors/errors.ts';
import type { ErrorPlace } from '../../errors/errors.ts';
import type { Operation } from '../model/operation.ts';

/** A function of the author, its name in messages, and its option. */
interface Predicate extends ErrorPlace {
  readonly where: string;
  readonly ask: (operation: Operation) => boolean;
}

/** Calls a function of the author. If it throws, the definition is invalid and the error says where. */
export function askPredicate({ where, ask, ...place }: Predicate, operation: Operation): boolean {
  try {
    return ask(operation);
  } catch (error) {
    const { message } = describeThrown(error);
    throw new DefinitionError(`${where} failed for "${operation.key}": ${message}`, {
      ...place,
      cause: error,
    });
  }
}
