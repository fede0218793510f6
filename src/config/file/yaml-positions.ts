import type { YamlState } from '../../openapi/document/parse/load-yaml.ts';

/** A place in a file; both from 1 on. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

interface YamlNode {
  readonly position: Position;
  /** The offsets of its first character, and behind its last. */
  readonly from: number;
  readonly to: number;
  readonly kind: string | null;
  readonly result: unknown;
  /** Entries, or keys and values in turn. */
  readonly children: readonly YamlNode[];
}

/** A child of a node, with the value behind its colon. */
interface Entry {
  readonly node: YamlNode;
  readonly value: YamlNode | undefined;
}

type OpenNode = Pick<YamlNode, 'from' | 'position'> & { readonly children: YamlNode[] };

/** Where the values of a text of YAML are. Give `record` to `loadYaml`. */
export class YamlPositions {
  readonly #text: string;
  readonly #open: OpenNode[] = [];
  readonly #roots: YamlNode[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  readonly record = (event: 'open' | 'close', state: YamlState): void => {
    const { position: offset, line, lineStart } = state;
    if (event === 'open') {
      const position = { line: line + 1, column: offset - lineStart + 1 };
      this.#open.push({ from: offset, position, children: [] });
      return;
    }
    const open = this.#open.pop();
    if (open === undefined) return;
    const { kind, result } = state;
    const [child] = open.children;
    // A value that could have been the first key of an object is read as one; then it is its own child.
    const isOwnChild = open.children.length === 1 && child?.kind === kind && child.result === result;
    const node = isOwnChild ? child : { ...open, to: offset, kind, result };
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.children.push(node);
    // A file may begin with comments: an object without braces begins with its first key.
    else this.#roots.push(isOwnChild ? node : { ...node, position: child?.position ?? node.position });
  };

  /** The key of a member, the beginning of an entry; of a missing value, those of what misses it. */
  find(path: readonly (number | string)[]): Position {
    let node = this.#roots[0];
    let position = node?.position ?? FIRST;
    for (const key of path) {
      const entry = node === undefined ? undefined : this.#findEntry(node, key);
      if (entry === undefined) break;
      position = entry.node.position;
      node = node?.kind === 'sequence' ? entry.node : entry.value;
    }
    return position;
  }

  /** The beginning of the second document. */
  findSecond(): Position {
    return this.#roots[1]?.position ?? FIRST;
  }

  #findEntry({ kind, result, children }: YamlNode, key: number | string): Entry | undefined {
    const entries = this.#toEntries(children);
    if (kind !== 'sequence')
      return entries.find(({ node }) => isScalar(node.result) && String(node.result) === String(key));
    // A dash with nothing behind it has no node.
    const nodes = entries.values();
    let next = nodes.next();
    for (const [index, item] of (result as unknown[]).entries()) {
      const isEmpty = item === null && next.value?.node.result !== null;
      if (index === key) return isEmpty ? undefined : next.value;
      if (!isEmpty) next = nodes.next();
    }
    return undefined;
  }

  #toEntries(children: readonly YamlNode[]): Entry[] {
    const entries: Entry[] = [];
    for (let index = 0; index < children.length; index += 1) {
      const [node, next] = [children[index] as YamlNode, children[index + 1]];
      const isKey = next !== undefined && COLON.test(this.#text.slice(node.to, next.from));
      entries.push({ node, value: isKey ? next : undefined });
      if (isKey) index += 1;
    }
    return entries;
  }
}

/** The position of what has none of its own. */
const FIRST: Position = { line: 1, column: 1 };

const COLON = /^\s*(?:#[^\n]*\n\s*)*:/;

/** Keys are scalars nearly always. One that is not may be as large as its aliases make it. */
function isScalar(value: unknown): value is boolean | number | string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
