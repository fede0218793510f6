import { describe, expect, test } from 'vitest';
import { parameter, planOf, targetOf, useRecorder } from './recorder.ts';

const recorder = useRecorder();
const ARRAY = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };

/** From the section "Style Examples" of the specification. */
describe('the table of the specification', () => {
  test.each([
    ['matrix', false, 'blue', '/;color=blue'],
    ['matrix', false, ARRAY, '/;color=blue,black,brown'],
    ['matrix', false, OBJECT, '/;color=R,100,G,200,B,150'],
    ['matrix', true, 'blue', '/;color=blue'],
    ['matrix', true, ARRAY, '/;color=blue;color=black;color=brown'],
    ['matrix', true, OBJECT, '/;R=100;G=200;B=150'],
    ['label', false, 'blue', '/.blue'],
    ['label', false, ARRAY, '/.blue,black,brown'],
    ['label', false, OBJECT, '/.R,100,G,200,B,150'],
    ['label', true, 'blue', '/.blue'],
    ['label', true, ARRAY, '/.blue.black.brown'],
    ['label', true, OBJECT, '/.R=100.G=200.B=150'],
    ['simple', false, 'blue', '/blue'],
    ['simple', false, ARRAY, '/blue,black,brown'],
    ['simple', false, OBJECT, '/R,100,G,200,B,150'],
    ['simple', true, 'blue', '/blue'],
    ['simple', true, ARRAY, '/blue,black,brown'],
    ['simple', true, OBJECT, '/R=100,G=200,B=150'],
  ] as const)('%s, explode %s: %o is %s', async (style, explode, color, target) => {
    const plan = planOf('/{color}', [parameter('path', 'color', { style, explode })]);
    const recorded = await recorder.send(plan, { color });
    expect(recorded.line).toBe(`GET ${target} HTTP/1.1`);
  });

  test.each(['matrix', 'label', 'simple'] as const)('%s: what is empty has no path', async (style) => {
    const before = recorder.count();
    for (const explode of [false, true]) {
      const plan = planOf('/{color}', [parameter('path', 'color', { style, explode })]);
      for (const color of ['', [], {}, [''], [null], null, undefined, { '': 1 }, { a: '' }]) {
        await expect(recorder.send(plan, { color })).rejects.toThrow(
          /^The value of "color" cannot be part of the path: it is (?:empty|missing)\.$/,
        );
      }
    }
    expect(recorder.count()).toBe(before);
  });
});

describe('single values', () => {
  test.each([
    [7, '/7'],
    [1.5, '/1.5'],
    [1e21, '/1e%2B21'],
    [-0, '/0'],
    [true, '/true'],
    [false, '/false'],
    ['a b', '/a%20b'],
    ['50%', '/50%25'],
    ['a/b', '/a%2Fb'],
    ['a,b;c=d', '/a%2Cb%3Bc%3Dd'],
    ['a?b#c&d', '/a%3Fb%23c%26d'],
    ["!'()*", '/%21%27%28%29%2A'],
    ['\u00E4\u{1F600}', '/%C3%A4%F0%9F%98%80'],
    ['-._~', '/-._~'],
  ])('%j is %s', async (id, target) => {
    expect(targetOf(await recorder.send(planOf('/{id}', [parameter('path', 'id')]), { id }))).toBe(target);
  });

  test('commas in items are distinguished from separators', async () => {
    const plan = planOf('/{ids}', [parameter('path', 'ids')]);
    expect(targetOf(await recorder.send(plan, { ids: ['a,b', 'c'] }))).toBe('/a%2Cb,c');
  });

  test('items without a value are left out, and deeper ones are JSON', async () => {
    const plan = planOf('/{ids}', [parameter('path', 'ids')]);
    expect(targetOf(await recorder.send(plan, { ids: [null, 1, { a: [2] }] }))).toBe(
      '/1,%7B%22a%22%3A%5B2%5D%7D',
    );
  });

  test('a document in the path is JSON, or text', async () => {
    const json = planOf('/{q}', [parameter('path', 'q', { contentType: 'application/json' })]);
    expect(targetOf(await recorder.send(json, { q: { a: 1 } }))).toBe('/%7B%22a%22%3A1%7D');
    const text = planOf('/{q}', [parameter('path', 'q', { contentType: 'text/plain' })]);
    expect(targetOf(await recorder.send(text, { q: 'a b' }))).toBe('/a%20b');
  });

  test('a style that paths do not have is simple', async () => {
    const plan = planOf('/{ids}', [parameter('path', 'ids', { style: 'form' })]);
    expect(targetOf(await recorder.send(plan, { ids: [1, 2] }))).toBe('/1,2');
  });
});

describe('reserved characters', () => {
  const reserved = planOf('/{a}', [parameter('path', 'a', { allowReserved: true })]);

  test.each([
    ["a:b@c!d$e&f'g(h)i*j+k,l;m=n", "/a:b@c!d$e&f'g(h)i*j+k,l;m=n"],
    ['a?b#c[d]', '/a%3Fb%23c%5Bd%5D'],
    ['a%20b', '/a%20b'],
    ['50%', '/50%25'],
    ['a/b', '/a%2Fb'],
    [['a,b', 'c=d;e'], '/a%2Cb,c%3Dd%3Be'],
  ])('%j is %s', async (a, target) => {
    expect(targetOf(await recorder.send(reserved, { a }))).toBe(target);
  });

  test('a matrix keeps its own separators', async () => {
    const plan = planOf('/{a}', [parameter('path', 'a', { style: 'matrix', allowReserved: true })]);
    expect(targetOf(await recorder.send(plan, { a: 'x;a=y' }))).toBe('/;a=x%3Ba%3Dy');
  });

  test.each(['a/..', '%2F', '%2e%2e', '%252e%252e', '%252F', '%C0%AE', '%FF', '%5C', '%0A'])(
    '%j is refused',
    async (a) => {
      await expect(recorder.send(reserved, { a })).rejects.toThrow(
        'The value of "a" cannot be part of the path',
      );
    },
  );
});
