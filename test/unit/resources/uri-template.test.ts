import fc from 'fast-check';
import { parseTemplate } from 'url-template';
import { describe, expect, test } from 'vitest';
import { parseUriTemplate } from '../../../src/resources/uri-template.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';

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

describe('operators of RFC 6570', () => {
  test.each([
    ['a://{x,y}', 'a://1,2', { x: '1', y: '2' }],
    ['a://b{/x,y}', 'a://b/1/2', { x: '1', y: '2' }],
    ['a://b{/x}{.ext}', 'a://b/1.tar.gz', { x: '1', ext: 'tar.gz' }],
    ['a://b{;x,y}', 'a://b;x=1;y=2', { x: '1', y: '2' }],
    ['a://b{#part}', 'a://b#one/two', { part: 'one/two' }],
    ['a://b{?q,page}', 'a://b?q=x&page=2', { q: 'x', page: '2' }],
    ['a://b{?q,page}', 'a://b?page=2&q=x', { q: 'x', page: '2' }],
    ['a://b{?q,page}', 'a://b?page=2', { page: '2' }],
    ['a://b{?q,page}', 'a://b', {}],
    ['a://b{?q}', 'a://b?q=', { q: '' }],
    ['a://b{?q}', 'a://b?q=a%26b=c/d', { q: 'a&b=c/d' }],
    ['a://{+path}{?line}', 'a://b/c?line=7', { path: 'b/c', line: '7' }],
    ['a://{+path}{?line}', 'a://b/c', { path: 'b/c' }],
  ])('%s takes %s', (template, uri, variables) => {
    expect(match(template, uri)).toEqual(variables);
  });

  test.each([
    ['a://{x,y}', 'a://1'],
    ['a://b{/x}', 'a://b'],
    ['a://b{/x}', 'a://b/..'],
    ['a://b{.x}', 'a://b.%2E'],
    ['a://b{;x}', 'a://b;y=1'],
    ['a://b{#part}', 'a://b#'],
    ['a://b{?q,page}', 'a://b?'],
    ['a://b{?q,page}', 'a://b?q'],
    ['a://b{?q,page}', 'a://b?other=1'],
    ['a://b{?q,page}', 'a://b?q=1&other=1'],
    ['a://b{?q,page}', 'a://b?q=1&q=2'],
    ['a://b{?q,page}', 'a://b?q=1&page=2&q=3'],
    ['a://b{?q}', 'a://b?q=1#x'],
    ['a://b{?q}', 'a://b?q=%zz'],
    ['a://b{?q}', 'a://b?__proto__=1'],
    ['a://b{?q}', 'a://bc'],
  ])('%s does not take %s', (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });

  test('read back whatever a library makes of them', () => {
    // Characters with a meaning in URIs and templates, and some that must be encoded.
    const value = fc.string({
      unit: fc.constantFrom(...Array.from('aZ9-._~:/?#[]@!$&()*+,;=%{} "\u00e4\u{1F600}')),
      minLength: 1,
      maxLength: 8,
    });
    const isSegment = (text: string): boolean => text !== '.' && text !== '..' && !text.includes('/');
    const templates = [
      ['a://{x}', ['x'], []],
      ['a://h{/x,y}', ['x', 'y'], []],
      ['a://h/{x}{?q,page}', ['x'], ['q', 'page']],
      ['a://h{?q}', [], ['q']],
      ['a://h{;x,y}', ['x', 'y'], []],
      ['a://{x,y}', ['x', 'y'], []],
    ] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...templates),
        fc.record({ x: value.filter(isSegment), y: value.filter(isSegment) }),
        fc.record({ q: value, page: fc.string() }, { requiredKeys: [] }),
        ([template, needed, optional], path, query) => {
          const all = { ...path, ...query } as Readonly<Record<string, string | undefined>>;
          const known = Object.fromEntries(
            [...needed, ...optional]
              .map((name) => [name, all[name]])
              .filter(([, given]) => given !== undefined),
          ) as Record<string, string>;
          expect(match(template, parseTemplate(template).expand(known))).toEqual(known);
        },
      ),
      { numRuns: 1000 },
    );
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
    `Resource "t": the expression ${expression} is not supported. Use {name} for one path segment, {/name}, {.name} or {;name} for one with that prefix, {+name} or {#name} for any characters, and {?name,other} at the end for a query. Lists (*), prefixes (:3) and {&name} are not supported.`;
  test.each([
    ['a://{&q}', unsupported('{&q}')],
    ['a://{q*}', unsupported('{q*}')],
    ['a://{q:3}', unsupported('{q:3}')],
    ['a://{?q*}', unsupported('{?q*}')],
    ['a://{a,}', unsupported('{a,}')],
    ['a://{?a}/b', 'Resource "t": {?a} must be the end of the template.'],
    ['a://{?a}{b}', 'Resource "t": {?a} must be the end of the template.'],
    ['a://b?c=1{?a}', 'Resource "t": the template already has a "?" or "#" before {?a}.'],
    ['a://b{#c}{?a}', 'Resource "t": the template already has a "?" or "#" before {?a}.'],
    ['a://{a}{?a}', 'Resource "t": the template has the variable "a" twice.'],
    ['a://{+a,b}', 'Resource "t": the template has more than one {+name}'],
    ['a://{}', unsupported('{}')],
    ['a://{+}', unsupported('{+}')],
    ['a://{a b}', unsupported('{a b}')],
    ['a://{a', unsupported('{a')],
    ['a://{{a}}', unsupported('{')],
    ['a://b', 'Resource "t": the template has no {variable}. Use uri in place of uriTemplate.'],
    ['a://{b}}', 'Resource "t": the template has a "}" without "{".'],
    [
      'a://{b}{c}',
      'Resource "t": two expressions of the template are adjacent. Put a literal such as "/" between them.',
    ],
    ['a://{b}/{b}', 'Resource "t": the template has the variable "b" twice.'],
    [
      'a://{+b}/{+c}',
      'Resource "t": the template has more than one {+name}, which is ambiguous. Use at most one.',
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
    const letters = (min: number, max: number): fc.Arbitrary<string> =>
      fc.string({ unit: fc.constantFrom('a', 'b', 'a', 'b', '/'), minLength: min, maxLength: max });
    const cases = fc.record({
      literals: fc.array(letters(1, 3), { minLength: 1, maxLength: 3 }),
      tail: letters(0, 2),
      open: fc.integer({ min: -1, max: 3 }),
      values: fc.array(letters(1, 4), { minLength: 4, maxLength: 4 }),
      other: fc.option(letters(0, 14), { freq: 2 }),
    });
    const counts = { fits: 0, others: 0 };
    fc.assert(
      fc.property(cases, ({ literals, tail, open, values, other }) => {
        const write = (variable: (index: number) => string): string =>
          `s:${[...literals, tail].map((literal, index) => variable(index) + literal).join('')}`;
        const template = write((index) => `{${index === open ? '+' : ''}v${index}}`);
        const uri = other === null ? write((index) => values[index] ?? '') : `s:${other}`;
        // Compares the linear matcher with a backtracking one.
        const pattern = write((index) => (index === open ? '(.+)' : '([^/]+)'));
        const expected = new RegExp(`^${pattern}$`).test(uri);
        const found = match(template, uri);
        expect(found !== undefined, `${template} and ${uri}`).toBe(expected);
        counts[expected ? 'fits' : 'others'] += 1;
        // Expanded again, the variables give the URI.
        if (found !== undefined) expect(write((index) => found[`v${index}`] ?? '')).toBe(uri);
      }),
      { numRuns: 10_000 },
    );
    expect(Math.min(counts.fits, counts.others)).toBeGreaterThan(1000);
  });

  test('takes time in proportion to the URI, also where nothing fits', () => {
    const narrow = parseUriTemplate('a://{a}-{b}-{c}-{d}-{e}!', 'Resource "t"');
    const open = parseUriTemplate('a://{a}-{b}-{+c}-{d}-{e}!', 'Resource "t"');
    const length = 500_000;
    const match = (): void => {
      expect(narrow.match(`a://${'-'.repeat(length)}/x!`)).toBeUndefined();
      expect(narrow.match(`a://${'-'.repeat(length)}`)).toBeUndefined();
      expect(open.match(`a:///${'-'.repeat(length)}!`)).toBeUndefined();
      expect(open.match(`a://${'-'.repeat(length)}/!`)).toBeUndefined();
    };
    // Backtracking would take years.
    expect(cpuMsOf(match)).toBeLessThan(5000);
  });
});

test('no value has a NUL in it', () => {
  expect(match('a://{x}', 'a://b%00c')).toBeUndefined();
  expect(match('a://{+x}', 'a://b%00c')).toBeUndefined();
});
