import type { YamlState } from '../../openapi/document/parse/load-yaml.ts';

/** A position in a file. Both numbers start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

interface YamlNode {
  readonly position: Position;
  /** Offset of its first character. */
  readonly from: number;
  /** Offset after its last character. */
  readonly to: number;
  readonly kind: string | null;
  readonly result: unknown;
  /** Elements of a sequence; keys and values of a mapping, alternating. */
  readonly children: readonly YamlNode[];
}

/** A child of a node; in a mapping, a key and its value. */
interface Entry {
  readonly node: YamlNode;
  readonly value: YamlNode | undefined;
}

type OpenNode = Pick<YamlNode, 'from' | 'position'> & { readonly children: YamlNode[] };

/** Positions of the values in a YAML text. Pass `record` to `loadYaml`. */
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
    // The parser first tries a value as the key of a mapping; then the node is its own child.
    const isOwnChild = open.children.length === 1 && child?.kind === kind && child.result === result;
    const node = isOwnChild ? child : { ...open, to: offset, kind, result };
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.children.push(node);
    // A file may begin with comments: a block mapping begins at its first key.
    else this.#roots.push(isOwnChild ? node : { ...node, position: child?.position ?? node.position });
  };

  /** The position of a key or an element; of a missing value, that of its nearest parent. */
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

  /** The start of the second document. */
  findSecond(): Position {
    return this.#roots[1]?.position ?? FIRST;
  }

  #findEntry({ kind, result, children }: YamlNode, key: number | string): Entry | undefined {
    const entries = this.#toEntries(children);
    if (kind !== 'sequence')
      return entries.find(({ node }) => isScalar(node.result) && String(node.result) === String(key));
    // An empty element ("-" without a value) has no node.
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

/** Fallback position. */
const FIRST: Position = { line: 1, column: 1 };

const COLON = /^\s*(?:#[^\n]*\n\s*)*:/;

/** Excludes other keys, which are rare and may expand to any size through aliases. */
function isScalar(value: unknown): value is boolean | number | string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
