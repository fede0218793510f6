import { describeThrown } from '../../errors/describe-thrown.ts';
import { DefinitionError } from '../../errors/errors.ts';
import type { ErrorPlace } from '../../errors/errors.ts';
import type { Operation } from '../model/operation.ts';

/** A function of the author, what it is called in messages, and the option that it is. */
interface Predicate extends ErrorPlace {
  readonly where: string;
  readonly ask: (operation: Operation) => boolean;
}

/** Asks a function of the author; one that throws is a mistake in a definition, and the message says where. */
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
