import type { ValuePath } from '../view/walk-path.ts';

/** Keys that lead to a secret field; `*` matches every key and every index. */
export type SecretPath = readonly string[];

/**
 * Parses `card.number` and `users.*.token`. Array indexes are matched by `*`, or skipped if omitted; a dot that
 * is part of a name is written `\.`.
 */
export function parseSecretPaths(paths: readonly string[]): SecretPath[] {
  return paths.map((path) => path.split(/(?<!\\)\./).map((key) => key.replaceAll(String.raw`\.`, '.')));
}

/**
 * Whether the value at the path must not be shown: the secret field itself, anything below it, or a scalar on the way to it (a `card` sent
 * as a string contains the number that `card.number` hides).
 */
// defence: silence-about-secrets
export function isSecretPlace(secrets: readonly SecretPath[], path: ValuePath, value: unknown): boolean {
  const isScalar = typeof value !== 'object' || value === null;
  return secrets.some((secret) => {
    const match = matchPath(secret, path);
    return match === 'covered' || (match === 'above' && isScalar && value !== undefined);
  });
}

/** Cuts the path at the first secret field: the keys below it are part of the secret. */
export function upToSecret(secrets: readonly SecretPath[], path: ValuePath): ValuePath {
  for (let length = 1; length < path.length; length += 1) {
    const start = path.slice(0, length);
    if (secrets.some((secret) => matchPath(secret, start) === 'covered')) return start;
  }
  return path;
}

function matchPath(secret: SecretPath, path: ValuePath): 'covered' | 'above' | 'beside' {
  if (secret.length === 0) return 'covered';
  if (path.length === 0) return 'above';
  const [wanted, ...rest] = secret;
  const [key, ...below] = path;
  const taken = wanted === '*' || wanted === String(key) ? matchPath(rest, below) : 'beside';
  if (taken === 'covered' || typeof key !== 'number') return taken;
  const skipped = matchPath(secret, below);
  // `*` matches this index. That it might match a key further down does not hide a value on the way.
  if (wanted === '*' && skipped === 'above') return taken;
  return skipped === 'beside' ? taken : skipped;
}
