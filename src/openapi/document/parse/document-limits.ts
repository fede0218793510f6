import { assertOptions, wholeNumber } from '../../../errors/options/rules.ts';
import type { Rules } from '../../../errors/options/rules.ts';
import { DefinitionError } from '../../../errors/errors.ts';

/** Limits of a document and the files that it refers to. */
export interface DocumentLimits {
  /** Maximum size of one file, in bytes. Default: 33,554,432 (32 MiB). */
  readonly maxDocumentBytes: number;
  /** Maximum number of files, including the document itself. Default: 3,000. */
  readonly maxDocumentFiles: number;
  /** Maximum size of all files together, in bytes. Default: 134,217,728 (128 MiB). */
  readonly maxTotalBytes: number;
  /** Maximum depth of nested objects and arrays, at most 1,000. Default: 512. */
  readonly maxDocumentDepth: number;
  /**
   * Maximum number of values in all files together; values repeated by YAML aliases count each time. Default:
   * 3,000,000.
   */
  readonly maxDocumentNodes: number;
}

/** Default limits of documents. */
export const DOCUMENT_DEFAULTS: DocumentLimits = {
  maxDocumentBytes: 33_554_432,
  maxDocumentFiles: 3000,
  maxTotalBytes: 134_217_728,
  maxDocumentDepth: 512,
  maxDocumentNodes: 3_000_000,
};

/** Maximum depth: code that walks a document recursively needs room on the stack. */
const MAX_DEPTH = 1000;

/** Validates the given limits and fills in the defaults. */
export function toLimits(given: Partial<DocumentLimits> = {}): DocumentLimits {
  assertOptions('fromOpenAPI', given, LIMITS, 'limits');
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...DOCUMENT_DEFAULTS, ...(Object.fromEntries(said) as Partial<DocumentLimits>) };
}

const COUNT = wholeNumber(1);
const LIMITS: Rules<keyof DocumentLimits> = {
  maxDocumentBytes: COUNT,
  maxDocumentFiles: COUNT,
  maxTotalBytes: COUNT,
  maxDocumentDepth: wholeNumber(1, MAX_DEPTH),
  maxDocumentNodes: COUNT,
};

/** Limits of one value. */
export type TreeLimits = Pick<DocumentLimits, 'maxDocumentDepth' | 'maxDocumentNodes'>;

/** Error for a document with too many levels. */
export function tooDeep(name: string, { maxDocumentDepth }: TreeLimits): DefinitionError {
  return new DefinitionError(
    `${name} is nested more than ${maxDocumentDepth} levels deep (maxDocumentDepth).`,
  );
}

/** Error for a document with too many values. */
export function tooManyNodes(name: string, { maxDocumentNodes }: TreeLimits): DefinitionError {
  return new DefinitionError(
    `${name} has more than ${maxDocumentNodes} values (maxDocumentNodes); values repeated by YAML aliases count each time.`,
  );
}

/** Error for a document with too many bytes. */
export function tooLarge(name: string, maxBytes: number): DefinitionError {
  return new DefinitionError(`${name} has more than ${maxBytes} bytes (maxDocumentBytes, maxTotalBytes).`, {
    reason: 'document-too-large',
    option: 'limits.maxDocumentBytes',
    expected: String(maxBytes),
    received: name,
  });
}
