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
