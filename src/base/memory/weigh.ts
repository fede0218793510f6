/** Memory of a parsed value beside its characters, in bytes: an object, a property, an element of an array. */
const NODE_BYTES = 80;

const WIDE = /[^\0-\u00ff]/;

/** Memory of a string in bytes: engines store two bytes per character if any is not Latin-1. */
export function weighText(text: string): number {
  return WIDE.test(text) ? text.length * 2 : text.length;
}

/** Upper bound of the memory of parsed JSON: `characters` of text that was `bytes` long in UTF-8. */
export function weighJson(characters: number, bytes: number, nodes: number): number {
  return (bytes === characters ? characters : characters * 2) + nodes * NODE_BYTES;
}

/** Upper bound of the memory of a JSON value. For other values, `seen` prevents endless traversal of cycles. */
export function weighValue(value: unknown, seen?: Set<object>): number {
  let bytes = NODE_BYTES;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') bytes += weighText(next);
    else if (ArrayBuffer.isView(next)) bytes += next.byteLength;
    else if (typeof next === 'object' && next !== null && seen?.has(next) !== true) {
      seen?.add(next);
      for (const key of Object.keys(next)) {
        bytes += NODE_BYTES + key.length;
        waiting.push((next as Record<string, unknown>)[key]);
      }
    }
  }
  return bytes;
}
