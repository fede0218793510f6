import type { ValuePath } from '../view/walk-path.ts';

/** The keys that lead to a secret field; `*` stands for every key and every index. */
export type SecretPath = readonly string[];

/**
 * `card.number` and `users.*.token` as key lists. Indexes of arrays are matched by `*`, or skipped when left out; a dot that
 * belongs to a name is written `\.`.
 */
export function parseSecretPaths(paths: readonly string[]): SecretPath[] {
  return paths.map((path) => path.split(/(?<!\\)\./).map((key) => key.replaceAll(String.raw`\.`, '.')));
}

/**
 * Whether what stands at the path must not be shown: the secret field itself, anything below it, or a scalar on the way to it
 * (a `card` sent as text holds the number that `card.number` hides).
 */
// defence: silence-about-secrets
export function isSecretPlace(secrets: readonly SecretPath[], path: ValuePath, value: unknown): boolean {
  const isScalar = typeof value !== 'object' || value === null;
  return secrets.some((secret) => {
    const match = matchPath(secret, path);
    return match === 'covered' || (match === 'above' && isScalar && value !== undefined);
  });
}

/** The path, ended at the first secret field on its way: the keys below it are part of the secret. */
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
  // A `*` has this index to stand for. That it might have meant a key further down is no reason to hide what is only on the way.
  if (wanted === '*' && skipped === 'above') return taken;
  return skipped === 'beside' ? taken : skipped;
}
