import type { ToolwrightError } from '../errors/errors.ts';
import { libraryWords, optionPathOf, sentenceOf, withTexts } from '../errors/finding.ts';
import type { DescribeFinding, Finding } from '../errors/finding.ts';
import type { OpenApiReport, OperationReport } from './model/import-report.ts';
import { removeHidden } from './naming/clean-text.ts';

/** Notes about a document, and what all texts of its report say of options. */
export class ReportNotes {
  readonly #notes: string[] = [];
  /** Each once: most operations have the same. */
  readonly #findings = new Map<string, Finding>();

  /** Writes the sentences of findings. */
  readonly describe: DescribeFinding;

  constructor(describe: DescribeFinding = libraryWords) {
    this.describe = describe;
  }

  get findings(): readonly Finding[] {
    return [...this.#findings.values()];
  }

  add(notes: readonly string[]): void {
    this.#notes.push(...notes);
  }

  /** Notes that are about options. */
  addFindings(findings: readonly Finding[]): void {
    this.add(this.keep(findings));
  }

  /** Keeps what is said elsewhere in the report, and writes it. */
  keep(findings: readonly Finding[]): string[] {
    for (const finding of findings)
      this.#findings.set(`${optionPathOf(finding)} ${finding.message}`, finding);
    return findings.map(this.describe);
  }

  /** Keeps what an error says of options, and writes the error. */
  tell(error: ToolwrightError): string {
    this.keep(error.findings);
    return sentenceOf(error, this.describe);
  }

  /** Reports are shown on terminals, and quote documents. Keys are what overrides go by, and stay as they are. */
  clean(operations: readonly OperationReport[]): Pick<OpenApiReport, 'findings' | 'notes' | 'operations'> {
    return {
      operations: operations.map((each) => ({
        ...each,
        reason: each.reason === undefined ? undefined : removeHidden(each.reason),
        notes: each.notes.map(removeHidden),
        missingCredentials: each.missingCredentials.map(removeHidden),
      })),
      notes: this.#notes.map(removeHidden),
      findings: this.findings.map((finding) => withTexts(finding, removeHidden)),
    };
  }
}

/** Overrides for arguments that an operation does not have. */
export function findUnknownArguments(operation: string, names: readonly string[]): Finding[] {
  return names.map((name) => ({
    reason: 'unknown-argument',
    option: 'overrides',
    path: [operation, 'arguments', name],
    message: `overrides: there is no argument "${name}"`,
  }));
}
