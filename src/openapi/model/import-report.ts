import type { Finding } from '../../errors/finding.ts';
import type { Operation } from './operation.ts';

/** Report of one operation. */
export interface OperationReport {
  /** Method and path, such as `GET /pets/{id}`. */
  readonly key: string;
  readonly operationId: string | undefined;
  readonly outcome: 'left-out' | 'refused' | 'resource' | 'resource-template' | 'tool';
  /** Name of the tool or the resource. */
  readonly name: string | undefined;
  /** Reason why it is left out or rejected. */
  readonly reason: string | undefined;
  /** Differences between the tool and the document. */
  readonly notes: readonly string[];
  /** Credentials that calls need and that were not given. */
  readonly missingCredentials: readonly string[];
}

/** Report of an imported document. */
export interface OpenApiReport {
  readonly title: string;
  /** Version of the API. */
  readonly apiVersion: string;
  readonly openapi: '2.0' | '3.0' | '3.1' | '3.2';
  /** URI of the document. */
  readonly uri: string;
  /** Local files that were read: the document and the files it refers to. Use them for watching. */
  readonly files: readonly string[];
  readonly operations: readonly OperationReport[];
  /** Notes about the document as a whole. */
  readonly notes: readonly string[];
  /** Machine-readable form of notes, reasons and `missingCredentials` about options, and of files that were not read; each once. */
  readonly findings: readonly Finding[];
}

/** Counts operations by outcome. */
export function countOutcomes({
  operations,
}: OpenApiReport): Readonly<Record<OperationReport['outcome'], number>> {
  const counts = { tool: 0, resource: 0, 'resource-template': 0, 'left-out': 0, refused: 0 };
  for (const { outcome } of operations) counts[outcome] += 1;
  return counts;
}

/** The common parts of an operation's report. */
export function reportOf(
  key: string,
  operation: Operation | undefined,
  { outcome, reason }: Pick<OperationReport, 'outcome'> & { readonly reason?: string },
): OperationReport {
  return {
    key,
    operationId: operation?.operationId,
    outcome,
    name: undefined,
    reason,
    notes: [],
    missingCredentials: [],
  };
}
