import { estimateTokens } from 'toolwright';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CALLERS, startStack } from '../support/stack.ts';

/**
 * Maximum tokens of `tools/list` on a server with all providers, in the order of `CALLERS`: anonymous, user, starter, professional,
 * enterprise, owner, admin. Measured with o200k_base, from which the estimate of Toolwright differs by at most 2.5 % here:
 * flat 3,654 / 13,097 / 8,458 / 12,298 / 13,097 / 14,789 / 14,944; grouped 2,764 / 8,981 / 6,282 / 8,478 / 8,981 / 9,873 / 9,947; search 397.
 */
const BUDGETS = {
  flat: [4000, 14_000, 9000, 13_000, 14_000, 15_500, 15_500],
  grouped: [3000, 9500, 6600, 9000, 9500, 10_500, 10_500],
  search: [450, 450, 450, 450, 450, 450, 450],
  auto: [4000, 450, 9000, 450, 450, 450, 450],
} as const;

test.each(Object.entries(BUDGETS))(
  'tools/list fits into its budget for each caller: %s',
  async (exposure, budgets) => {
    const stack = await startStack({
      environment: {
        FITNESS_EXPOSURE: exposure,
        FITNESS_FILES: import.meta.dirname,
        FITNESS_USER: 'user',
        FITNESS_KEY: Buffer.alloc(32, 7).toString('base64'),
        FITNESS_STRAVA_CLIENT_ID: '1',
        FITNESS_STRAVA_CLIENT_SECRET: 'secret',
      },
    });
    try {
      for (const [index, caller] of CALLERS.entries()) {
        const { tools } = await (await stack.connect({ caller })).listTools();
        const used = estimateTokens(JSON.stringify(tools));
        const budget = budgets[index] ?? 0;
        expect(used, caller).toBeLessThanOrEqual(budget);
        // A budget that is far above the need would not notice growth.
        expect(used, caller).toBeGreaterThan(budget * 0.85);
      }
    } finally {
      await stack.close();
    }
  },
);

test('the README has the budgets', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const format = (value: number): string => value.toLocaleString('en-US');
  for (const [exposure, [anonymous, user, starter, professional, enterprise, owner, admin]] of Object.entries(
    BUDGETS,
  )) {
    const columns = [anonymous, starter, professional, enterprise, owner, admin];
    expect(columns.at(3)).toBe(user);
    expect(readme).toContain(`| \`${exposure}\` | ${columns.map(format).join(' | ')} |`);
  }
});
