import { describe, expect, test } from 'vitest';
import { looksAtNext } from '../../../src/middleware/looks-at-next.ts';

// Written as text, so that no compiler changes them.
// oxlint-disable-next-line no-eval
const read = (source: string): boolean => looksAtNext((0, eval)(`(${source})`) as object);

describe('a middleware surely looks at what next gives', () => {
  test.each([
    'async ({ next }) => next()',
    '({ next }) => next()',
    'async ({ next }) => await next()',
    'async ({ context, next }) => { const passed = await next(); return passed; }',
    'async ({ next }) => (await next({ a: 1 })).withValue(2)',
    'async function layer({ next }) { return next(); }',
    'async ({ next }) => { try { return await next(); } catch { return 1; } }',
    '({ context, next }) => { if (context.a) throw 1; return next(); }',
  ])('%s', (source) => expect(read(source)).toBe(true));
});

describe('a middleware may look away', () => {
  test.each([
    'async ({ next }) => { const p = next(); await other(); return p; }',
    'async ({ next }) => { void next(); return 1; }',
    'async ({ next }) => { next(); }',
    '({ next }) => next() && 1',
    '({ next }) => next() || 1',
    '({ next }) => (next(), 1)',
    'async ({ next }) => Promise.race([next(), other()])',
    'async (call) => { const { next } = call; return next(); }',
    'async ({ next }) => { const go = next; return go(); }',
    'async ({ next: go }) => go()',
    'async ({ next }) => { await next(); void next(); }',
    '({ next }) => cond ? next() : next().catch(() => {})',
    'async ({ next }) => { /* await next() */ next(); }',
    'async ({ next }) => { eval("await next()"); }',
    '({ next }) => { const go = () => next(); void go(); return 1; }',
    '({ next }) => { const go = () => { return next(); }; void go(); return 1; }',
    '({ next }) => { setTimeout(async () => { await next(); }); return 1; }',
  ])('%s', (source) => expect(read(source)).toBe(false));

  test('and a function of the engine says nothing of itself', () => {
    expect(looksAtNext(Math.max)).toBe(false);
  });
});
