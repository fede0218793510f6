import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUriTemplate } from '../../../src/resources/uri-template.ts';

const match = (template: string, uri: string) => parseUriTemplate(template, 'Resource "t"').match(uri);

describe('a variable of one segment', () => {
  test.each([
    ['test://template/{id}/data', 'test://template/12/data', { id: '12' }],
    ['notes://{user}/{id}', 'notes://ada/7', { user: 'ada', id: '7' }],
    ['notes://{id}', 'notes://7', { id: '7' }],
    ['a://{x}-{y}', 'a://1-2-3', { x: '1', y: '2-3' }],
    ['a://{x}.json', 'a://b.json.json', { x: 'b.json' }],
    ['a://x{x}x', 'a://xxx', { x: 'x' }],
    ['a://{first.name}', 'a://ada', { 'first.name': 'ada' }],
    ['a://q?s={s}&t={t}', 'a://q?s=1&t=2', { s: '1', t: '2' }],
  ])('%s takes %s', (template, uri, variables) => {
    expect(match(template, uri)).toEqual(variables);
  });

  test.each([
    ['test://template/{id}/data', 'test://template//data'],
    ['test://template/{id}/data', 'test://template/data'],
    ['test://template/{id}/data', 'test://template/1/2/data'],
    ['test://template/{id}/data', 'test://template/1/data/'],
    ['test://template/{id}/data', 'TEST://template/1/data'],
    ['notes://{id}', 'notes://'],
    ['notes://{id}', 'notes://7?draft=1'],
    ['notes://{id}', 'notes://7#top'],
    ['notes://{id}', 'notes://a/b'],
    ['a://{x}-{y}', 'a://1-'],
    ['a://{x}-{y}', 'a://-1'],
    ['a://{x}-{y}', 'a://-'],
    ['a://{x}b{y}b', 'a://1b'],
    ['a://x{x}x', 'a://xx'],
  ])('%s does not take %s', (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });
});

describe('a variable that takes anything', () => {
  test.each([
    ['file:///{+path}', 'file:///a/b?c#d', { path: 'a/b?c#d' }],
    ['a://{+path}/end', 'a://x/end/end', { path: 'x/end' }],
    ['a://{user}/{+path}', 'a://ada/b/c', { user: 'ada', path: 'b/c' }],
    ['a://{+path}/{id}', 'a://b/c/7', { path: 'b/c', id: '7' }],
    ['a://{+path}-{id}', 'a://p-q/r-s', { path: 'p-q/r', id: 's' }],
    ['a://{x}/{+path}/{y}.{z}', 'a://1/2/3/4.5.6', { x: '1', path: '2/3', y: '4.5', z: '6' }],
  ])('%s takes %s', (template, uri, variables) => {
    expect(match(template, uri)).toEqual(variables);
  });

  test.each([
    ['file:///{+path}', 'file:///'],
    ['a://{user}/{+path}', 'a://ada/'],
    ['a://{+path}/{id}', 'a:///7'],
    ['a://{+path}/{id}', 'a://7'],
  ])('%s does not take %s', (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });
});

describe('percent-encoding', () => {
  test('is undone', () => {
    expect(match('a://{x}', 'a://a%20b%C3%A4')).toEqual({ x: 'a bä' });
    expect(match('a://{+x}', 'a://a%2Fb/c%25')).toEqual({ x: 'a/b/c%' });
    expect(match('a://{x}', 'a://100%2525')).toEqual({ x: '100%25' });
  });

  test('that cannot be undone does not fit', () => {
    for (const broken of ['%', '%2', '%zz', '%ff', 'a%c3%28']) {
      expect(match('a://{x}', `a://${broken}`), broken).toBeUndefined();
      expect(match('a://{+x}', `a://${broken}`), broken).toBeUndefined();
    }
  });

  test('does not smuggle another path into one segment', () => {
    for (const hostile of ['..', '.', '%2e%2e', '%2E', '..%2F..%2Fetc', 'a%2Fb', 'a%5Cb', '..\\x']) {
      expect(match('file:///{name}', `file:///${hostile}`), hostile).toBeUndefined();
    }
    expect(match('file:///{name}', 'file:///...')).toEqual({ name: '...' });
  });
});

describe('a template is refused', () => {
  const unsupported = (expression: string): string =>
    `Resource "t": the expression ${expression} is not supported. Use {name} for one segment of the path, or {+name} for anything.`;
  test.each([
    ['a://{?q}', unsupported('{?q}')],
    ['a://{&q}', unsupported('{&q}')],
    ['a://{#q}', unsupported('{#q}')],
    ['a://{.q}', unsupported('{.q}')],
    ['a://{/q}', unsupported('{/q}')],
    ['a://{;q}', unsupported('{;q}')],
    ['a://{q*}', unsupported('{q*}')],
    ['a://{q:3}', unsupported('{q:3}')],
    ['a://{a,b}', unsupported('{a,b}')],
    ['a://{}', unsupported('{}')],
    ['a://{+}', unsupported('{+}')],
    ['a://{a b}', unsupported('{a b}')],
    ['a://{a', unsupported('{a')],
    ['a://{{a}}', unsupported('{')],
    ['a://b', 'Resource "t": the template has no {variable}. Use uri in place of uriTemplate.'],
    ['a://{b}}', 'Resource "t": the template has a "}" without "{".'],
    [
      'a://{b}{c}',
      'Resource "t": two expressions of the template touch each other. Put a text such as "/" between them.',
    ],
    ['a://{b}/{b}', 'Resource "t": the template has the variable "b" twice.'],
    [
      'a://{+b}/{+c}',
      'Resource "t": the template has more than one {+name}; where one ends and the next begins could not be said.',
    ],
  ])('%s', (template, message) => {
    expect(() => parseUriTemplate(template, 'Resource "t"')).toThrow(message);
  });
});

describe('matching', () => {
  test('gives variables named like members of every object', () => {
    const found = match('a://{__proto__}/{constructor}', 'a://p/c');
    expect(Object.entries(found ?? {})).toEqual([
      ['__proto__', 'p'],
      ['constructor', 'c'],
    ]);
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
  });

  test('finds a way wherever there is one', () => {
    // Few letters, so that literals occur in values and overlap themselves.
    const text = fc.stringMatching(/^[ab/]{1,3}$/);
    const templates = fc.record({
      literals: fc.array(text, { minLength: 1, maxLength: 3 }),
      tail: fc.stringMatching(/^[ab/]{0,2}$/),
      open: fc.integer({ min: -1, max: 3 }),
      uri: fc.stringMatching(/^[ab/]{0,14}$/),
    });
    let fits = 0;
    fc.assert(
      fc.property(templates, ({ literals, tail, open, uri }) => {
        const named = literals.map((literal, index) => `{${index === open ? '+' : ''}v${index}}${literal}`);
        const template = `s:${named.join('')}{${open === literals.length ? '+' : ''}last}${tail}`;
        // An expression that does not backtrack is held against one that does.
        const pattern = literals.map((literal, index) => `${index === open ? '(.+)' : '([^/]+)'}${literal}`);
        const last = open === literals.length ? '(.+)' : '([^/]+)';
        const expected = new RegExp(`^s:${pattern.join('')}${last}${tail}$`).test(`s:${uri}`);
        const found = match(template, `s:${uri}`);
        expect(found !== undefined, `${template} and s:${uri}`).toBe(expected);
        if (found === undefined) return;
        fits += 1;
        // Put back in, the variables give the URI again.
        const written = template.replaceAll(/\{\+?(\w+)\}/g, (_, name: string) => found[name] ?? '');
        expect(written).toBe(`s:${uri}`);
      }),
      { numRuns: 20_000 },
    );
    expect(fits).toBeGreaterThan(500);
  });

  test('takes time in proportion to the URI, also where nothing fits', () => {
    const template = parseUriTemplate('a://{a}-{b}-{c}-{d}-{e}-{f}/{+g}-{h}-{i}x', 'Resource "t"');
    const timeOf = (length: number): number => {
      const uri = `a://${'-'.repeat(length)}/${'y-'.repeat(length)}`;
      const start = performance.now();
      for (let round = 0; round < 20; round += 1) expect(template.match(`${uri}${round}x`)).toBeUndefined();
      return performance.now() - start;
    };
    timeOf(1000);
    // 50 times the length: quadratic would be 2,500 times the time, and minutes.
    expect(timeOf(500_000)).toBeLessThan(5000);
  });
});
