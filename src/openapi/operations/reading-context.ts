import type { LoadedDocument } from '../document/load-document.ts';
import type { References } from '../document/references.ts';

/** What the readers of parts of an operation work with. */
export interface ReadingContext {
  readonly document: LoadedDocument;
  readonly references: References;
  /** Collects what is to be said of the operation that is being read. */
  readonly note: (text: string) => void;
}

/** An operation that cannot be called as the document describes it. */
export class UnreadableOperation extends Error {}
