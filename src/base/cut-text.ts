/** Characters of a key or a value of the caller that are repeated in a message. */
export const MAX_ECHOED = 60;

/** The beginning of a text that is kept. A copy: a part of a text, by itself, keeps the whole text in memory. */
export function copyStart(text: string, max: number): string {
  return text.length > max ? (JSON.parse(JSON.stringify(text.slice(0, max))) as string) : text;
}

/** The beginning of a text: whoever sends a megabyte need not get it back. */
export function cutText(text: string, max: number = MAX_ECHOED): string {
  // defence: cut-of-long-keys
  if (text.length > max) return `${text.slice(0, max)}…`;
  return text;
}
