import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** `npm start` installs the packages of the root alone, so a newcomer who looks at the library waits for no package of this server. */

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, Locked | undefined>;
};

const namesOf = ({
  dependencies,
  devDependencies,
  optionalDependencies,
  peerDependencies,
}: Locked): string[] =>
  [dependencies, devDependencies, optionalDependencies, peerDependencies].flatMap((group) =>
    Object.keys(group ?? {}),
  );

/** The names of all packages that the root needs, at any depth. */
function listRootPackages(): ReadonlySet<string> {
  const found = new Set<string>();
  const open = namesOf(packages[''] ?? {});
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    // A package may be locked in several places, with different dependencies.
    for (const [path, locked] of Object.entries(packages)) {
      const isServer = path.startsWith('servers/');
      if (!isServer && locked !== undefined && path.endsWith(`node_modules/${name}`))
        open.push(...namesOf({ ...locked, devDependencies: {} }));
    }
  }
  return found;
}

test('npm start installs no package that only this server needs', () => {
  expect(read('scripts/start.mjs')).toContain('ensureInstalled({ rootOnly: true });');
  const own = [packages['servers/ynab'], packages['servers/ynab-api']].flatMap((locked) =>
    namesOf(locked ?? {}),
  );
  const ofRoot = listRootPackages();
  expect(ofRoot.size).toBeGreaterThan(100);
  expect(own.filter((name) => !ofRoot.has(name)).toSorted()).toEqual([
    '@toolwright/ynab-api',
    '@types/papaparse',
    'fuzzball',
    'papaparse',
    'toolwright',
    'ynab',
  ]);
});
