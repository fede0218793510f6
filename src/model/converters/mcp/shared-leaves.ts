import { isEqualJson } from './json.ts';

/** Reads leaves so that equal MCP objects become one leaf, anywhere in the tree. */
export class SharedLeaves<TWire extends { readonly name: string }, TLeaf> {
  readonly #read: (wire: TWire) => TLeaf;
  readonly #byName: Map<string, { readonly wire: TWire; readonly leaf: TLeaf }[]> = new Map();

  constructor(read: (wire: TWire) => TLeaf) {
    this.#read = read;
  }

  getLeaf(wire: TWire): TLeaf {
    const namesakes = this.#byName.get(wire.name);
    const seen = namesakes?.find((namesake) => isEqualJson(namesake.wire, wire));
    if (seen !== undefined) return seen.leaf;
    const read = { wire, leaf: this.#read(wire) };
    if (namesakes === undefined) this.#byName.set(wire.name, [read]);
    else namesakes.push(read);
    return read.leaf;
  }
}
