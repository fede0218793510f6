import type { Clock } from '../../../base/time/clock.ts';
import type { PaginationInput } from '../pagination/pagination-input.ts';
import type { RemainderStore } from './remainder-store.ts';

export { CONTINUE_ARGUMENT } from '../../../pipeline/tool/arguments.ts';

/** So much of a binary answer is passed on, where nothing else is said. As base64 it fits into the 10 MiB that official clients read of one line. */
export const MAX_BINARY_BYTES: number = 7 * 1024 * 1024;

/** What becomes of an answer. */
export interface ResponseOptions {
  /** `GET /pets/{id}`: the request, as messages name it. */
  readonly what: string;
  /** The address of a resource that is made of a binary answer. */
  readonly uri: string;
  /**
   * A JSON Pointer to the part that is wanted; or several, and what is left has the structure of the whole. The step `*` stands for all
   * elements of a list.
   */
  readonly select?: string | readonly string[];
  /** So much text of one answer is shown. */
  readonly maxChars: number;
  /** Binary answers that are larger are described only. Default: 7 MiB. */
  readonly maxBinaryBytes?: number;
  /** Where the rest of a long answer is kept. */
  readonly remainders: RemainderStore;
  /** The id of the principal. A rest is for its owner alone. */
  readonly owner: string | undefined;
  /** What the operation can ask for; without it, no further pages are offered. */
  readonly pagination?: PaginationInput;
  /** Takes out of a text what must not be shown, such as credentials that the server sends back. */
  readonly hide?: ((text: string) => string) | undefined;
  /** Whether bytes have in them what must not be shown. */
  readonly isHiddenIn?: ((bytes: Uint8Array) => boolean) | undefined;
  /** Where the credentials of the API are set, for the hint of a 401: `the option "auth"`. */
  readonly credentialSetting?: string;
  /** Whether the tool has an output schema: then every result has structured content, and it is an object. */
  readonly structured: boolean;
  /** How a value (its selected part) differs from what the document says. It is kept all the same, and the differences are told. */
  readonly checkOutput?: (value: unknown) => readonly string[];
  readonly onDrift?: (problems: readonly string[]) => void;
  /** Headers of the response that the result has. */
  readonly shownHeaders?: readonly string[];
  /** Whether the operation documents a redirect of this status: then its location is the result. */
  readonly documentsRedirect?: (status: number) => boolean;
  /** The address of the request: relative locations start there. */
  readonly url?: URL;
  /** For answers that say until when to wait. */
  readonly clock?: Clock;
}
