import type { LoadedDocument } from '../document/load-document.ts';
import type { References } from '../document/references.ts';

/** What the readers of parts of an operation work with. */
export interface ReadingContext {
  readonly document: LoadedDocument;
  readonly references: References;
  readonly budget: ReadingBudget;
  /** Collects what is to be said of the operation that is being read. */
  readonly note: (text: string) => void;
}

/** An operation that cannot be called as the document describes it. */
export class UnreadableOperation extends Error {}

/** Parameters, media types, tags and the like of all operations: real documents have a tenth of it. */
const MAX_PARTS = 400_000;

/** What operations share is read for each of them: a small document could make that very much. */
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
