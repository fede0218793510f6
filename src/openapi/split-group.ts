import { isNode, namedChildren } from '../schema/nodes/json-node.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';
import { documentOf } from './model/document-of.ts';

/** Characters of the descriptions and schemas of one group; what its operations share counts once. */
const MAX_GROUP_CHARS = 100_000;

/**
 * The operations of a group in parts that a model can still read, in the order of the document. Each is as large as fits: an operation that
 * comes at the end moves no other. One operation that is too large by itself is a part of its own.
 */
export function splitGroup(tools: readonly AnyToolDefinition[]): AnyToolDefinition[][] {
  const texts = new Map<object, string>();
  const parts: AnyToolDefinition[][] = [];
  let part: AnyToolDefinition[] = [];
  let size = new GroupSize(texts);
  for (const tool of tools) {
    if (part.length === 0 || size.with(tool) > MAX_GROUP_CHARS) {
      parts.push((part = []));
      size = new GroupSize(texts);
    }
    size.add(tool);
    part.push(tool);
  }
  return parts;
}

/** About how long the listing of a group is. */
class GroupSize {
  readonly #texts: Map<object, string>;
  readonly #written = new Set<string>();
  #chars = 0;

  constructor(texts: Map<object, string>) {
    this.#texts = texts;
  }

  /** With one more operation. */
  with(tool: AnyToolDefinition): number {
    return this.#measure(tool, () => {});
  }

  add(tool: AnyToolDefinition): void {
    this.#chars = this.#measure(tool, (text) => this.#written.add(text));
  }

  #measure(tool: AnyToolDefinition, onNew: (text: string) => void): number {
    const document = documentOf(tool);
    const properties = namedChildren(document, 'properties');
    // Each argument says which operations it is for.
    let chars = this.#chars + tool.description.length + (tool.name.length + 2) * (properties.length + 2);
    for (const [name, schema] of [...properties, ...namedChildren(document, '$defs')]) {
      const text = `${name}:${this.#textOf(schema)}`;
      if (this.#written.has(text)) continue;
      chars += text.length;
      onNew(text);
    }
    return chars;
  }

  #textOf(schema: unknown): string {
    if (!isNode(schema)) return String(schema);
    let text = this.#texts.get(schema);
    if (text === undefined) this.#texts.set(schema, (text = JSON.stringify(schema)));
    return text;
  }
}
