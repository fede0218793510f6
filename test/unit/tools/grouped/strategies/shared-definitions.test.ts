import { expect, test } from 'vitest';
import { SchemaGenerator } from '../../../../../src/strategies.ts';
import type { InternalAction } from '../../../../../src/strategies.ts';

const COUNT = 30;

/** Definitions that all refer to each other, with a counter of reads. */
function connected(): { readonly $defs: Record<string, object>; readonly reads: () => number } {
  let reads = 0;
  const names = Array.from({ length: COUNT }, (_, index) => `Part${index}`);
  const $defs = Object.fromEntries(
    names.map((name): [string, object] => [
      name,
      {
        type: 'object',
        get description() {
          if (name === 'Part7') reads += 1;
          return `The ${name}`;
        },
        properties: Object.fromEntries(names.map((other) => [other, { $ref: `#/$defs/${other}` }])),
      },
    ]),
  );
  return { $defs, reads: () => reads };
}

function actionsOf($defs: object): InternalAction[] {
  return Array.from({ length: COUNT }, (_, index) => ({
    key: `a${index}`,
    actionName: `a${index}`,
    inputSchema: {
      type: 'object',
      properties: { part: { $ref: `#/$defs/Part${index}` } },
      $defs: { ...$defs },
    },
    commonFields: [],
    examples: [],
  }));
}

test('definitions that all actions share are written once, and read a few times, not once for each action and definition', () => {
  const { $defs, reads } = connected();
  const merged = SchemaGenerator.generateInputSchema({ actions: actionsOf($defs), discriminator: 'action' });
  expect(Object.keys(merged['$defs'] as object)).toHaveLength(COUNT);
  expect(reads()).toBeLessThan(10);
});

test('a definition that refers to something else in another action is written for each', () => {
  const { $defs } = connected();
  const [one, other] = actionsOf($defs) as [InternalAction, InternalAction];
  const changed = { ...$defs, Part9: { type: 'string' } };
  const second = { ...other, inputSchema: { ...other.inputSchema, $defs: changed } };
  const merged = SchemaGenerator.generateInputSchema({ actions: [one, second], discriminator: 'action' });
  expect(Object.keys(merged['$defs'] as object)).toHaveLength(2 * COUNT);
});

test('of more than ten actions, those that take a field are named by the ones that do not, if these are fewer', () => {
  const notesOf = (takers: number): unknown => {
    const actions = Array.from({ length: 12 }, (_, index): InternalAction => ({
      key: `a${index}`,
      actionName: `a${index}`,
      inputSchema: { type: 'object', properties: index < takers ? { page: { type: 'integer' } } : {} },
      commonFields: [],
      examples: [],
    }));
    const { properties } = SchemaGenerator.generateInputSchema({ actions, discriminator: 'action' });
    return (properties as { page: { description: string } }).page.description;
  };
  expect(notesOf(12)).toBe('For: all actions');
  expect(notesOf(10)).toBe('For: all actions except a10, a11');
  expect(notesOf(3)).toBe('For: a0, a1, a2');
});
