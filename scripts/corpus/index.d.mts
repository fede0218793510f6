/** A listed tool. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
}

/** A defect in a list of tools. */
export interface Problem {
  readonly exposure?: string;
  readonly tool?: string;
  readonly kind: string;
  readonly text: string;
}

/** Fidelity: the share of a document that its tools contain. */
export interface Fidelity {
  readonly counts: Readonly<Record<string, { readonly total: number; readonly kept: number }>>;
  /** Missing facts. */
  readonly lost: readonly string[];
  /** Number of excluded facts, by reason. */
  readonly exceptions: Readonly<Record<string, number>>;
}

/** A list of tools, and its size. */
export interface ListFigures {
  readonly tools: number;
  readonly pages: number;
  readonly bytes: number;
  readonly largestPage: number;
  readonly tokens: number;
}

/** Result of a document. */
export interface Examined {
  readonly version: string;
  readonly operations: number;
  readonly tools: number;
  readonly refused: readonly { readonly key: string; readonly reason: string }[];
  readonly invalid: readonly Problem[];
  readonly lists: Readonly<Partial<Record<'flat' | 'grouped' | 'search', ListFigures>>>;
  readonly fidelity: Fidelity;
}

/** Cost of loading a document and listing its tools. */
export interface Measured {
  readonly cpuMs: number;
  /** Peak memory of the process. */
  readonly peakBytes: number;
  readonly grownBytes: number;
}

/** The examined parts of the package, from `src/` or from `dist/`. */
export interface Library {
  readonly OpenAPIServer: unknown;
  readonly serveStdio: unknown;
  readonly connectInMemory: unknown;
  readonly estimateTokens: (text: string) => number;
}

export const BASE_URL: string;
export function checkList(tools: readonly ListedTool[]): Problem[];
export function compareWithDocument(
  root: object,
  reports: readonly {
    readonly key: string;
    readonly name?: string | undefined;
    readonly outcome: string;
    readonly notes: readonly string[];
  }[],
  tools: readonly ListedTool[],
): Fidelity;
export function examine(
  library: Library,
  document: { readonly file: string; readonly root: object; readonly baseUrl?: string | undefined },
): Promise<Examined>;
export function findFiles(paths: readonly string[]): string[];
export function generateDocument(count: number): object;
export function hasAddress(root: object): boolean;
export function measureDocument(
  file: string,
  options: { readonly baseUrl?: string; readonly onlyLoad: true },
): Promise<Measured>;
export function formatPart(results: readonly object[], sources?: Readonly<Record<string, string>>): string;
export function replacePart(page: string, part: string): string;
export function readDocument(file: string): { readonly root?: object; readonly skipped?: string };
