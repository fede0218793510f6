/** JSON text as a value; undefined when it is something else, or a mere scalar. */
export function parseDocument(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
