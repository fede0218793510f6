import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { issuerPreset, JWT_DEFAULTS } from '../../src/auth.ts';
import { EXIT_CODES } from '../../src/cli/terminal/command.ts';
import { formatFlag } from '../../src/cli/terminal/help.ts';
import { COMMANDS } from '../../src/cli/main.ts';
import { HTTP_DEFAULTS } from '../../src/http.ts';
import { ERROR_CODES, REGISTRY_DEFAULTS, SERVER_DEFAULTS } from '../../src/index.ts';
import { OPENAPI_DEFAULTS } from '../../src/openapi.ts';
import { OUTBOUND_DEFAULTS } from '../../src/outbound/outbound-client.ts';
import { ROOT } from '../support/dist.ts';

/** The rows of all tables of a page whose first cell is code, or matches the given pattern; cells without backticks. */
function tableRows(page: string, first = /^\| `\w+`/): string[][] {
  const lines = readFileSync(join(ROOT, page), 'utf8').split('\n');
  const rows = lines.filter((line) => first.test(line));
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

test('docs/errors.md lists every error code, and no code that does not exist', () => {
  const documented = tableRows('docs/errors.md').filter(([code]) => /^[A-Z_]+$/.test(code ?? ''));
  expect(documented).toEqual(Object.entries(ERROR_CODES).map(([code, { fate, when }]) => [code, fate, when]));
});

test.each([
  ['a registry', REGISTRY_DEFAULTS],
  ['a server', SERVER_DEFAULTS],
  ['HTTP', HTTP_DEFAULTS],
  ['OpenAPI documents', OPENAPI_DEFAULTS],
])('docs/limits.md lists every default of %s with its number', (_of, defaults) => {
  const documented = tableRows('docs/limits.md').map(([name, value]) => [name, value]);
  const expected = Object.entries(defaults).map(([name, value]) => [name, String(value)]);
  expect(expected.length).toBeGreaterThan(0);
  for (const row of expected) expect(documented).toContainEqual(row);
});

test('docs/limits.md lists the defaults of outbound requests as the configuration names them', () => {
  const documented = tableRows('docs/limits.md', /^\| `outbound\./).map(([name, value]) => [name, value]);
  expect(documented).toEqual(
    Object.entries(OUTBOUND_DEFAULTS).map(([name, value]) => [`outbound.${name}`, String(value)]),
  );
});

test('docs/limits.md lists no default that does not exist, and none twice', () => {
  const documented = tableRows('docs/limits.md').map(([name]) => name ?? '');
  const known = [REGISTRY_DEFAULTS, SERVER_DEFAULTS, HTTP_DEFAULTS, OPENAPI_DEFAULTS].flatMap((defaults) =>
    Object.keys(defaults),
  );
  expect(documented.toSorted()).toEqual(known.toSorted());
});

test('docs/cli.md lists every command, in the order of the help', () => {
  const documented = tableRows('docs/cli.md', /^\| `\w+[^`]*` \| [^`]/).map(
    ([usage]) => usage?.split(' ')[0],
  );
  expect(documented).toEqual(COMMANDS.map(({ name }) => name));
});

test('docs/cli.md lists every option of every command as its help does, and none that does not exist', () => {
  const documented = tableRows('docs/cli.md', /^\| `\w+` \| `-/);
  const existing = COMMANDS.flatMap(({ name, flags }) =>
    Object.entries(flags).map(([flag, options]) => [
      name,
      formatFlag(flag, options).trim(),
      options.description,
    ]),
  );
  expect(existing.length).toBeGreaterThan(0);
  expect(documented).toEqual(existing);
});

test('docs/cli.md lists every exit code, and none that does not exist', () => {
  const documented = tableRows('docs/cli.md', /^\| \d+ \|/);
  expect(documented).toEqual(Object.values(EXIT_CODES).map(({ code, when }) => [String(code), when]));
});

test('docs/authentication.md lists the defaults of jwt with their values', () => {
  const rows = tableRows('docs/authentication.md').filter((row) => row.length === 4);
  for (const [name, value] of Object.entries(JWT_DEFAULTS)) {
    const [, , documented = ''] = rows.find(([option]) => option === name) ?? [];
    expect([name, JSON.parse(documented.replaceAll("'", '"'))]).toEqual([name, value]);
  }
});

test('docs/authentication.md lists every preset', () => {
  const documented = tableRows('docs/authentication.md', /^\| `[\w-]+` \| `[\w?]+`[ ,]/).map(
    ([name]) => name,
  );
  let choices: unknown;
  try {
    issuerPreset('' as 'auth0', {} as never);
  } catch (error) {
    choices = (error as { expected: unknown }).expected;
  }
  expect(documented).toEqual(choices);
});
