export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

export function sourceFiles(folder: string): string[];
export function relativeImports(file: string): string[];
export function readGraph(root: string): { readonly files: Graph; readonly folders: Graph };
export function circlesOf(graph: Graph): string[][];
