import { assertOptions, wholeNumber } from '../../../errors/options/rules.ts';
import type { Rules } from '../../../errors/options/rules.ts';
import { DefinitionError } from '../../../errors/errors.ts';

/** How much is read of a document and of what it refers to. */
export interface DocumentLimits {
  /** Of one file. Default: 32 MiB. */
  readonly maxDocumentBytes: number;
  /** The document itself and the files that it refers to. Default: 3,000. */
  readonly maxDocumentFiles: number;
  /** Of all files together. Default: 128 MiB. */
  readonly maxTotalBytes: number;
  /** Objects and lists within each other. Default: 512; at most 1,000. */
  readonly maxDocumentDepth: number;
  /** Values of all files together; what YAML repeats by an alias counts each time. Default: 3,000,000. */
  readonly maxDocumentNodes: number;
}

/** The limits of documents, where nothing else is said. */
export const DOCUMENT_DEFAULTS: DocumentLimits = {
  maxDocumentBytes: 33_554_432,
  maxDocumentFiles: 3000,
  maxTotalBytes: 134_217_728,
  maxDocumentDepth: 512,
  maxDocumentNodes: 3_000_000,
};

/** Whoever reads a document afterwards goes from level to level on the stack, which holds so many of them with certainty. */
const MAX_DEPTH = 1000;

/** The limits with those that were given, if they can be kept. */
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

/** The limits that one value is held against. */
export type TreeLimits = Pick<DocumentLimits, 'maxDocumentDepth' | 'maxDocumentNodes'>;

/** A document has too many levels. */
export function tooDeep(name: string, { maxDocumentDepth }: TreeLimits): DefinitionError {
  return new DefinitionError(
    `${name} is nested more than ${maxDocumentDepth} levels deep (maxDocumentDepth), which no document needs.`,
  );
}

/** A document has too many values. */
export function tooManyNodes(name: string, { maxDocumentNodes }: TreeLimits): DefinitionError {
  return new DefinitionError(
    `${name} has more than ${maxDocumentNodes} values (maxDocumentNodes), those counted again that YAML aliases repeat.`,
  );
}

/** A document has too many bytes. */
export function tooLarge(name: string, maxBytes: number): DefinitionError {
  return new DefinitionError(
    `${name} has more than ${maxBytes} bytes, which is the most that is read (maxDocumentBytes, maxTotalBytes).`,
    {
      reason: 'document-too-large',
      option: 'limits.maxDocumentBytes',
      expected: String(maxBytes),
      received: name,
    },
  );
}
