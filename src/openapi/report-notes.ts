import type { ToolwrightError } from '../errors/errors.ts';
import { libraryWords, optionPathOf, sentenceOf, withTexts } from '../errors/finding.ts';
import type { DescribeFinding, Finding } from '../errors/finding.ts';
import type { OpenApiReport, OperationReport } from './model/import-report.ts';
import { removeHidden } from './naming/clean-text.ts';

/** Collects the notes of a report, and the findings about options behind all of its texts. */
export class ReportNotes {
  readonly #notes: string[] = [];
  /** By message, each once: most operations have the same. */
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

  /** Adds findings as notes. */
  addFindings(findings: readonly Finding[]): void {
    this.add(this.keep(findings));
  }

  /** Keeps findings that are mentioned elsewhere in the report, and returns their sentences. */
  keep(findings: readonly Finding[]): string[] {
    for (const finding of findings)
      this.#findings.set(`${optionPathOf(finding)} ${finding.message}`, finding);
    return findings.map(this.describe);
  }

  /** Keeps the findings of an error, and returns its message. */
  tell(error: ToolwrightError): string {
    this.keep(error.findings);
    return sentenceOf(error, this.describe);
  }

  /**
   * Escapes hidden characters: reports quote documents and are printed on terminals. Keys stay as they are, because
   * overrides refer to them.
   */
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

/** Findings for overrides of arguments that an operation does not have. */
export function findUnknownArguments(operation: string, names: readonly string[]): Finding[] {
  return names.map((name) => ({
    reason: 'unknown-argument',
    option: 'overrides',
    path: [operation, 'arguments', name],
    message: `overrides: unknown argument "${name}"`,
  }));
}
