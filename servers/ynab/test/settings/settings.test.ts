import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../src/settings/settings.ts';

const DEFAULTS = {
  accessToken: undefined,
  defaultBudgetId: undefined,
  exportPath: undefined,
  importPath: undefined,
  isDeltaEnabled: true,
  writeMode: 'preview',
  toolProfile: 'full',
  cacheMaxEntries: 1000,
  cacheTtlMs: undefined,
  cacheStaleMs: 120_000,
  minifyOutput: true,
  prettySpaces: 2,
  logLevel: 'info',
};

/** Each variable, a value, and the setting that it changes. */
const VALUES: readonly (readonly [
  name: string,
  value: string,
  setting: Partial<typeof DEFAULTS> | object,
])[] = [
  ['YNAB_ACCESS_TOKEN', ' token ', { accessToken: 'token' }],
  ['YNAB_DEFAULT_BUDGET_ID', 'last-used', { defaultBudgetId: 'last-used' }],
  ['YNAB_EXPORT_PATH', '/exports', { exportPath: '/exports' }],
  ['YNAB_IMPORT_PATH', '/imports', { importPath: '/imports' }],
  ['YNAB_MCP_ENABLE_DELTA', 'false', { isDeltaEnabled: false }],
  ['YNAB_MCP_WRITE_MODE', 'enabled', { writeMode: 'enabled' }],
  ['YNAB_MCP_TOOL_PROFILE', 'core', { toolProfile: 'core' }],
  ['YNAB_MCP_CACHE_MAX_ENTRIES', '5', { cacheMaxEntries: 5 }],
  ['YNAB_MCP_CACHE_DEFAULT_TTL_MS', '0', { cacheTtlMs: 0 }],
  ['YNAB_MCP_CACHE_STALE_MS', '1', { cacheStaleMs: 1 }],
  ['YNAB_MCP_MINIFY_OUTPUT', 'false', { minifyOutput: false }],
  ['YNAB_MCP_PRETTY_SPACES', '10', { prettySpaces: 10 }],
  ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
];

describe('variables', () => {
  test('have defaults, which an empty value does not change', () => {
    expect(readSettings({})).toEqual(DEFAULTS);
    expect(readSettings(Object.fromEntries(VALUES.map(([name]) => [name, ' '])))).toEqual(DEFAULTS);
  });

  test.each(VALUES)('%s=%s', (name, value, setting) => {
    expect(readSettings({ [name]: value })).toEqual({ ...DEFAULTS, ...setting });
  });

  test.each([
    ['YNAB_MCP_ENABLE_DELTA', 'yes', 'must be one of true, false; received "yes".'],
    ['YNAB_MCP_WRITE_MODE', 'on', 'must be one of read-only, preview, enabled; received "on".'],
    ['YNAB_MCP_TOOL_PROFILE', 'all', 'must be one of core, read-only, full; received "all".'],
    ['YNAB_MCP_CACHE_MAX_ENTRIES', '0', 'must be an integer from 1 to 1000000; received "0".'],
    ['YNAB_MCP_CACHE_DEFAULT_TTL_MS', '-1', 'must be an integer from 0 to 86400000; received "-1".'],
    ['YNAB_MCP_CACHE_STALE_MS', '1.5', 'must be an integer from 0 to 86400000; received "1.5".'],
    ['YNAB_MCP_MINIFY_OUTPUT', '1', 'must be one of true, false; received "1".'],
    ['YNAB_MCP_PRETTY_SPACES', '11', 'must be an integer from 0 to 10; received "11".'],
    ['LOG_LEVEL', 'trace', 'must be one of debug, info, warning, error; received "trace".'],
  ])('%s=%s is rejected', (name, value, message) => {
    expect(() => readSettings({ [name]: value })).toThrow(`${name} ${message}`);
  });

  test('the README lists the variables that are read', () => {
    const read = new Set<string>();
    readSettings(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
    const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const listed = [...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name);
    expect(listed.toSorted()).toEqual([...read].toSorted());
    expect(listed.toSorted()).toEqual(VALUES.map(([name]) => name).toSorted());
  });
});
