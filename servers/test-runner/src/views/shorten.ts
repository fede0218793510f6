/** Keeps the beginning and the end of a text, and says how much is left out. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  return `${text.slice(0, half)}\n[${text.length - 2 * half} characters omitted]\n${text.slice(-half)}`;
}
