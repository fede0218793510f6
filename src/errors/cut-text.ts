/** Characters of a key or a value of the caller that are repeated in a message. */
export const MAX_ECHOED = 60;

/** The beginning of a text: whoever sends a megabyte need not get it back. */
export function cutText(text: string, max: number = MAX_ECHOED): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}
