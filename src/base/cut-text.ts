/** Maximum number of characters of a caller's key or value that a message repeats. */
export const MAX_ECHOED = 60;

/** A copied prefix of a text. A plain slice would keep the whole text in memory. */
export function copyStart(text: string, max: number): string {
  return text.length > max ? (JSON.parse(JSON.stringify(text.slice(0, max))) as string) : text;
}

/** A prefix of a text, so that a response does not repeat a megabyte of input. */
export function cutText(text: string, max: number = MAX_ECHOED): string {
  // defence: cut-of-long-keys
  if (text.length > max) return `${text.slice(0, max)}…`;
  return text;
}
