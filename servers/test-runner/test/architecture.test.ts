import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const DOMAIN = fileURLToPath(new URL('../src/domain', import.meta.url));

test('the domain imports only Node and itself', () => {
  const files = readdirSync(DOMAIN, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const imports = files.flatMap((name) => {
    const file = join(DOMAIN, name);
    const found = readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g);
    return [...found].map(([, target = '']) => ({ file, target }));
  });
  expect(imports.length).toBeGreaterThan(20);
  const foreign = imports.filter(({ file, target }) =>
    target.startsWith('.')
      ? !resolve(dirname(file), target).startsWith(DOMAIN + sep)
      : !target.startsWith('node:'),
  );
  expect(foreign).toEqual([]);
});

test('the server needs only Toolwright, Zod and Node, which npm installs without this workspace', () => {
  const folder = fileURLToPath(new URL('../', import.meta.url));
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, object>;
  expect(Object.keys(manifest['dependencies'] ?? {})).toEqual(['toolwright', 'zod']);
  expect(Object.keys(manifest['devDependencies'] ?? {})).toEqual([]);
  const start = readFileSync(join(folder, '../../scripts/start.mjs'), 'utf8');
  expect(start).toContain('ensureInstalled({ rootOnly: true })');
  expect(start).toContain("build({ servers: ['notes'] })");
  const names = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' });
  const imported = names
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(join(folder, 'src', name), 'utf8').matchAll(/\bfrom '([^.'][^']*)'/g),
    ])
    .map(([, target = '']) => target.split('/', 1)[0] ?? '')
    .filter((target) => !target.startsWith('node:'));
  expect([...new Set(imported)].toSorted()).toEqual(['toolwright', 'zod']);
});
