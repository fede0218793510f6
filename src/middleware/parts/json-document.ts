/** Parses JSON text; undefined if it is not JSON, or only a scalar. */
export function parseDocument(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
