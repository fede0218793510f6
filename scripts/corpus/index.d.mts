/** A tool as it is listed. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
}

/** Something that no client should be given. */
export interface Problem {
  readonly exposure?: string;
  readonly tool?: string;
  readonly kind: string;
  readonly text: string;
}

/** How much of a document is in its tools. */
export interface Fidelity {
  readonly counts: Readonly<Record<string, { readonly total: number; readonly kept: number }>>;
  /** What should be there and is not. */
  readonly lost: readonly string[];
  /** What cannot be there, and how often, by the reason. */
  readonly exceptions: Readonly<Record<string, number>>;
}

/** A list of tools, and what it costs. */
export interface ListFigures {
  readonly tools: number;
  readonly pages: number;
  readonly bytes: number;
  readonly largestPage: number;
  readonly tokens: number;
}

/** What became of a document. */
export interface Examined {
  readonly version: string;
  readonly operations: number;
  readonly tools: number;
  readonly refused: readonly { readonly key: string; readonly reason: string }[];
  readonly invalid: readonly Problem[];
  readonly lists: Readonly<Partial<Record<'flat' | 'grouped' | 'search', ListFigures>>>;
  readonly fidelity: Fidelity;
}

/** What it took to load a document and list its tools. */
export interface Measured {
  readonly cpuMs: number;
  /** The most memory the whole process ever had. */
  readonly peakBytes: number;
  readonly grownBytes: number;
}

/** The parts of the package that are looked at: from `src/`, or from `dist/`. */
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
