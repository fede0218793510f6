import type { Clock } from '../../../base/time/clock.ts';
import type { PaginationInput } from '../pagination/pagination-input.ts';
import type { RemainderStore } from './remainder-store.ts';

export { CONTINUE_ARGUMENT } from '../../../pipeline/tool/arguments.ts';

/** Default maximum size of a binary response. As base64 it fits into the 10 MiB that official clients read of one line. */
export const MAX_BINARY_BYTES: number = 7 * 1024 * 1024;

/** Options for converting a response to a result. */
export interface ResponseOptions {
  /** The request in messages, such as `GET /pets/{id}`. */
  readonly what: string;
  /** URI of a resource for a binary response. */
  readonly uri: string;
  /**
   * A JSON Pointer to the selected part; or several, and the result keeps the structure of the whole. The step `*` matches all elements of
   * an array.
   */
  readonly select?: string | readonly string[];
  /** Maximum number of characters per part. */
  readonly maxChars: number;
  /** Maximum size of a binary response; larger ones are only described. Default: 7 MiB. */
  readonly maxBinaryBytes?: number;
  /** Store for the rest of a long response. */
  readonly remainders: RemainderStore;
  /** Key of the server and the caller. Only they can read the rest. */
  readonly owner: string;
  /** Paging parameters of the operation; without them, no further pages are offered. */
  readonly pagination?: PaginationInput;
  /** Redacts secrets in a text, such as credentials that the server sends back. */
  readonly hide?: ((text: string) => string) | undefined;
  /** Whether bytes contain secrets. */
  readonly isHiddenIn?: ((bytes: Uint8Array) => boolean) | undefined;
  /** Where the credentials of the API are set, for the hint of a 401: `the option "auth"`. */
  readonly credentialSetting?: string;
  /** Whether the tool has an output schema: then every result has structured content, which is an object. */
  readonly structured: boolean;
  /**
   * Returns differences between a value (its selected part) and its documented schema. The value is returned anyway, with the differences.
   */
  readonly checkOutput?: (value: unknown) => readonly string[];
  readonly onDrift?: (problems: readonly string[]) => void;
  /** Response headers that are part of the result. */
  readonly shownHeaders?: readonly string[];
  /** Whether the operation documents a redirect with this status: then its location is the result. */
  readonly documentsRedirect?: (status: number) => boolean;
  /** URL of the request: base of relative locations. */
  readonly url?: URL;
  /** Clock for `Retry-After` dates. */
  readonly clock?: Clock;
}
