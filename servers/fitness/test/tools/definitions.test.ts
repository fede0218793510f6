import { expect, test } from 'vitest';
import { CATALOG } from '../../src/gate/catalog.ts';
import { SyntheticProvider } from '../../src/providers/synthetic/synthetic-provider.ts';
import { createTools } from '../../src/tools/all-tools.ts';
import { defineFitnessTool } from '../../src/tools/define-tool.ts';
import { getValue, toNullable } from '../../src/tools/results/computed.ts';
import { maxPoints, shapeStreams } from '../../src/tools/results/shape-streams.ts';

const providers = { synthetic: new SyntheticProvider() };
const tools = createTools(providers);

test('every tool of the catalog has one definition, in the order of the catalog', () => {
  expect(tools.map(({ name }) => name)).toEqual([...CATALOG.keys()]);
});

test('a definition has the category of the catalog', () => {
  for (const { name, category } of tools) expect(category).toBe(CATALOG.get(name)?.category);
});

test('every tool of goals and analysis has annotations: only set_goal writes, and it deletes nothing', () => {
  const mine = tools.filter(({ category }) => category === 'goals' || category === 'analysis');
  expect(mine).toHaveLength(14);
  for (const { name, annotations } of mine)
    expect([name, annotations]).toEqual([
      name,
      name === 'set_goal'
        ? { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
        : { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
    ]);
});

test('a definition that is not in the catalog is rejected', () => {
  const stray = defineFitnessTool({
    name: 'get_weather',
    title: 'Weather',
    description: 'Returns the weather.',
    effect: 'reads',
    arguments: {},
    run: () => ({ data: {} }),
  });
  expect(() => createTools(providers, [stray])).toThrow(
    'The tool "get_weather" is not in the catalog: add it in gate/catalog.ts.',
  );
});

test('an algorithm that does not apply is an error with its reason, or null with a note', () => {
  const refused = { ok: false, reason: 'No power data.' } as const;
  const notes: string[] = [];
  expect(getValue({ ok: true, value: 7 })).toBe(7);
  expect(() => getValue(refused)).toThrow('No power data.');
  expect(toNullable('ftp', { ok: true, value: 7 }, notes)).toBe(7);
  expect(toNullable('ftp', refused, notes)).toBeNull();
  expect(notes).toEqual(['ftp: No power data.']);
});

test('samples are downsampled to max_points, which is 3 to 5,000, and the peak is kept', () => {
  expect(maxPoints.parse(undefined)).toBe(200);
  for (const invalid of [2, 5001, 3.5]) expect(maxPoints.safeParse(invalid).success).toBe(false);
  const time_s = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const heart_rate = [100, 100, 100, 180, 100, 100, 100, 100, 100, 100];
  expect(shapeStreams({ time_s, heart_rate }, 3)).toEqual({
    samples: 10,
    returned: 3,
    streams: { time_s: [0, 3, 9], heart_rate: [100, 180, 100] },
  });
});
