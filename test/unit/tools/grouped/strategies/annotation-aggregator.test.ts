import { describe, expect, test } from 'vitest';
import { aggregateAnnotations } from '../../../../../src/tools/grouped/strategies/annotation-aggregator.ts';
import { createAction } from './actions.ts';

const reads = createAction('list', { readOnly: true, idempotent: true });
const writes = createAction('create', { destructive: false });
const destroys = createAction('purge', { destructive: true, idempotent: true });

describe('the hints of several actions', () => {
  test('one destructive action makes the tool destructive', () => {
    expect(aggregateAnnotations([reads, destroys])).toMatchObject({ destructiveHint: true });
    expect(aggregateAnnotations([reads, writes])).toMatchObject({ destructiveHint: false });
  });

  test('the tool is read-only only if all actions are', () => {
    expect(aggregateAnnotations([reads, reads])).toMatchObject({ readOnlyHint: true });
    expect(aggregateAnnotations([reads, writes])).toMatchObject({ readOnlyHint: false });
  });

  test('the tool is idempotent only if all actions are', () => {
    expect(aggregateAnnotations([reads, destroys])).toMatchObject({ idempotentHint: true });
    expect(aggregateAnnotations([reads, writes])).toMatchObject({ idempotentHint: false });
  });

  test('explicit hints stay, and an undefined hint is ignored', () => {
    const explicit = { title: 'Users', openWorldHint: false, destructiveHint: false };
    expect(aggregateAnnotations([destroys], explicit)).toEqual({
      title: 'Users',
      openWorldHint: false,
      destructiveHint: false,
      readOnlyHint: false,
      idempotentHint: true,
    });
    expect(
      aggregateAnnotations([reads], { readOnlyHint: undefined } as unknown as { readOnlyHint: boolean }),
    ).toEqual({ readOnlyHint: true, destructiveHint: false, idempotentHint: true });
  });

  test('a tool without actions has no hints of its own', () => {
    expect(aggregateAnnotations([])).toEqual({});
    expect(aggregateAnnotations([], { openWorldHint: true })).toEqual({ openWorldHint: true });
  });
});
