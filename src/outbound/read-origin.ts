/** Parses an origin such as `https://api.example.com`; undefined if the text is not an origin, or more than an origin. */
export function readOrigin(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { origin, href } = new URL(text);
  // Only a trailing slash is allowed: a path would suggest that only that path is meant.
  return href === `${origin}/` ? origin : undefined;
}
