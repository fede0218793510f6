import type { Finding } from '../../errors/finding.ts';
import type { Operation } from './operation.ts';

/** What became of one operation. */
export interface OperationReport {
  /** `GET /pets/{id}`. */
  readonly key: string;
  readonly operationId: string | undefined;
  readonly outcome: 'left-out' | 'refused' | 'resource' | 'resource-template' | 'tool';
  /** Of the tool or the resource. */
  readonly name: string | undefined;
  /** Why it is left out or refused. */
  readonly reason: string | undefined;
  /** What is different from what the document says. */
  readonly notes: readonly string[];
  /** What is needed to call it, and was not given. */
  readonly missingCredentials: readonly string[];
}

/** What became of a document. */
export interface OpenApiReport {
  readonly title: string;
  /** The API's own version. */
  readonly apiVersion: string;
  readonly openapi: '2.0' | '3.0' | '3.1' | '3.2';
  readonly uri: string;
  /** Files on this machine that were read: that of the document, and those it refers to. For those who watch them. */
  readonly files: readonly string[];
  readonly operations: readonly OperationReport[];
  /** Of the document as a whole. */
  readonly notes: readonly string[];
  /** What notes, reasons and `missingCredentials` say of options, and files that were not read: for programs, each once. */
  readonly findings: readonly Finding[];
}

/** How many operations came to what. */
export function countOutcomes({
  operations,
}: OpenApiReport): Readonly<Record<OperationReport['outcome'], number>> {
  const counts = { tool: 0, resource: 0, 'resource-template': 0, 'left-out': 0, refused: 0 };
  for (const { outcome } of operations) counts[outcome] += 1;
  return counts;
}

/** What became of an operation, as far as it can be said of any. */
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
