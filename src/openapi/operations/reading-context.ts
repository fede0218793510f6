import type { LoadedDocument } from '../document/load-document.ts';
import type { References } from '../document/references.ts';

/** Context for reading the parts of an operation. */
export interface ReadingContext {
  readonly document: LoadedDocument;
  readonly references: References;
  readonly budget: ReadingBudget;
  /** Adds a note about the operation that is being read. */
  readonly note: (text: string) => void;
}

/** An operation that cannot be called as the document describes it. */
export class UnreadableOperation extends Error {}

/** Maximum number of parameters, media types, tags and so on of all operations: real documents have a tenth of it. */
const MAX_PARTS = 400_000;

/** Limits the number of parts: shared parts are read for each operation, so a small document could have very many. */
export class ReadingBudget {
  #left = MAX_PARTS;

  spend(parts: number): void {
    this.#left -= parts;
    if (this.#left < 0)
      throw new UnreadableOperation(
        `the operations of the document are too large: they have more than ${MAX_PARTS} parts together`,
      );
  }
}
