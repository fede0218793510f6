/** The keys that lead to a secret field; `*` stands for every key and every index. */
export type SecretPath = readonly string[];

/** `card.number` and `users.*.token` as key lists. Indexes of arrays are matched by `*`, or skipped when left out. */
export function parseSecretPaths(paths: readonly string[]): SecretPath[] {
  return paths.map((path) => path.split('.'));
}

/**
 * Whether what stands at the path must not be shown: the secret field itself, anything below it, or a scalar on the way to it
 * (a `card` sent as text holds the number that `card.number` hides).
 */
export function isSecretPlace(
  secrets: readonly SecretPath[],
  path: readonly (string | number)[],
  value: unknown,
): boolean {
  const isScalar = typeof value !== 'object' || value === null;
  return secrets.some((secret) => {
    const match = matchPath(secret, path);
    return match === 'covered' || (match === 'above' && isScalar && value !== undefined);
  });
}

function matchPath(secret: SecretPath, path: readonly (string | number)[]): 'covered' | 'above' | 'beside' {
  if (secret.length === 0) return 'covered';
  if (path.length === 0) return 'above';
  const [wanted, ...rest] = secret;
  const [key, ...below] = path;
  const taken = wanted === '*' || wanted === String(key) ? matchPath(rest, below) : 'beside';
  if (taken === 'covered' || typeof key !== 'number') return taken;
  const skipped = matchPath(secret, below);
  return skipped === 'beside' ? taken : skipped;
}

const REDACTED = '[redacted]';
/** With more secrets than this, looking for each in every message costs too much: nothing is shown then. */
const MAX_TEXTS = 1000;

/** Blanks out the secret values of one input, wherever a text quotes them. */
export function createHider(value: unknown, secrets: readonly SecretPath[]): (text: string) => string {
  if (secrets.length === 0) return (text) => text;
  const texts = secretTexts(value, secrets);
  if (texts.length > MAX_TEXTS) return () => REDACTED;
  const fragments = texts.flatMap((text) => text.match(FRAGMENT) ?? []);
  return (text) => {
    let hidden = text;
    for (const secret of texts) hidden = hidden.replaceAll(secret, REDACTED);
    return fragments.some((fragment) => hidden.includes(fragment)) ? REDACTED : hidden;
  };
}

/**
 * What survives every way of quoting. ArkType escapes some texts twice, a custom message may do anything: where such a piece of a
 * secret is left over, the whole text goes.
 */
const FRAGMENT = /[\p{L}\p{N}]{4,}/gu;

/** Every secret scalar as it could appear in a message, the longest first. */
function secretTexts(value: unknown, secrets: readonly SecretPath[]): string[] {
  const texts = new Set<string>();
  const seen = new Set<object>();
  const collect = (current: unknown, path: readonly (string | number)[]): void => {
    if (typeof current === 'object' && current !== null) {
      if (seen.has(current)) return;
      seen.add(current);
      const members = Array.isArray(current)
        ? [...(current as unknown[]).entries()]
        : Object.entries(current);
      for (const [key, member] of members) collect(member, [...path, key]);
      return;
    }
    if (current === null || current === undefined || current === '') return;
    if (!isSecretPlace(secrets, path, current)) return;
    const text = `${current as string | number}`;
    texts.add(text).add(JSON.stringify(text).slice(1, -1));
    // Validators may trim before they complain.
    if (text.trim() !== '') texts.add(text.trim());
  };
  collect(value, []);
  return [...texts].toSorted((a, b) => b.length - a.length);
}
