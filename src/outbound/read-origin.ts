/** The origin that a text is, such as `https://api.example.com`; undefined for what is more, or none. */
export function readOrigin(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { origin, href } = new URL(text);
  // Nothing but the slash that everybody adds: with a path it would look as if only that path were meant.
  return href === `${origin}/` ? origin : undefined;
}
