import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPathTemplate } from '../../../src/outbound/fill-path.ts';
import { ValidationError } from '../../../src/errors/errors.ts';

const fill = (template: string, values: Record<string, string>): string =>
  readPathTemplate(template).fill(values);

test.each([
  ['/users/{id}', { id: '7' }, '/users/7'],
  ['/users/{id}/notes/{note}', { id: 'a b', note: 'ä' }, '/users/a%20b/notes/%C3%A4'],
  ['/users/{id}.json', { id: 'x' }, '/users/x.json'],
  ['/users/{id}', { id: 'a?b#c;d&e=f' }, '/users/a%3Fb%23c%3Bd%26e%3Df'],
  ['/users/{id}', { id: "!'()*" }, '/users/%21%27%28%29%2A'],
  ['/users/{id}', { id: '...x' }, '/users/...x'],
  ['/users/{id}', { id: '100%' }, '/users/100%25'],
  ['/users/{id}', { id: '%ff%zz%' }, '/users/%25ff%25zz%25'],
  ['/{id}/{id}', { id: '1' }, '/1/1'],
  ['/plain', {}, '/plain'],
  ['//{id}', { id: '7' }, '//7'],
  ['//a//{id}/', { id: '7' }, '//a//7/'],
])('%s with %o is %s', (template, values, path) => {
  expect(fill(template, values)).toBe(path);
});

test.each([
  '',
  '.',
  '..',
  ' .. ',
  '%2e',
  '%2e%2e',
  '%2E%2e',
  '%2e%2e;%',
  'a%2f..%2fb%',
  'a%5c%ff',
  '%EF%BC%8E;%ff',
  '..%2f',
  '%2f',
  '..;',
  '.;',
  '..;a=1',
  '..%3B',
  '%2e%2e%3bx',
  ' .. ;x',
  '../admin',
  'a/b',
  'a\\b',
  'a%5cb',
  '/',
  '//',
  '\r\nX-Evil: 1',
  'a\nb',
  'a%0d%0ab',
  '\0',
  '%00',
  '\u2025',
  '\uFF0E\uFF0E',
  '\u3002\u3002',
  '\u007F',
  '\uD800',
])('%j is refused', (id) => {
  expect(() => fill('/users/{id}/x', { id })).toThrow('The value of "id" cannot be part of the path');
});

test('a path that begins with two slashes keeps its shape too', () => {
  for (const id of ['..', 'a/b', ''])
    expect(() => fill('//{id}/x', { id })).toThrow('cannot be part of the path');
});

describe('values that are encoded already', () => {
  const fillEncoded = (template: string, values: Record<string, string>): string =>
    readPathTemplate(template).fillEncoded(new Map(Object.entries(values)));

  test('are put in as they are', () => {
    expect(fillEncoded('/a/{x}.{y}/{x}', { x: ';a=1,2', y: '%C3%A4' })).toBe('/a/;a=1,2.%C3%A4/;a=1,2');
  });

  test.each(['', '.', '..', '%2e', '.%2E', '%2e%2e', 'a/b', '/', 'a\\b', 'a?b', 'a#b', '%EF%BC%8E%EF%BC%8E'])(
    '%j is refused all the same',
    (x) => {
      expect(() => fillEncoded('/a/{x}/b', { x })).toThrow(ValidationError);
    },
  );

  test.each([
    ['/a/.{x}/b', '.'],
    ['/a/%2{x}/b', 'e'],
    ['/a/.%2{x}', 'E'],
    ['/{x}.', '.'],
  ])('%s cannot become dots by %j', (template, x) => {
    expect(() => fillEncoded(template, { x })).toThrow('The values would change the structure of the path.');
    expect(() => fill(template, { x })).toThrow(ValidationError);
  });

  test('a missing one is refused', () => {
    expect(() => fillEncoded('/a/{x}', {})).toThrow(
      'The value of "x" cannot be part of the path: it is missing.',
    );
  });
});

describe('values that span segments', () => {
  const fillSpanning = (template: string, values: Record<string, string>): string =>
    readPathTemplate(template, new Set(['x'])).fillEncoded(new Map(Object.entries(values)));

  test('add segments, and leave the others in their place', () => {
    expect(fillSpanning('/a/{x}/b/{y}', { x: 'c/d/e', y: 'f' })).toBe('/a/c/d/e/b/f');
    expect(fillSpanning('/a/{x}.json', { x: 'c/d' })).toBe('/a/c/d.json');
    expect(fillSpanning('/{x}', { x: 'c' })).toBe('/c');
  });

  test.each([
    '',
    '/',
    '/c',
    'c/',
    'c//d',
    '..',
    'c/..',
    'c/../d',
    'c/%2e/d',
    'c/..%2Fd',
    'c\\d',
    'c?d',
    'c#d',
  ])('%j is refused', (x) => {
    expect(() => fillSpanning('/a/{x}/b/{y}', { x, y: 'f' })).toThrow(ValidationError);
  });

  test('no other value adds segments', () => {
    expect(() => fillSpanning('/a/{x}/b/{y}', { x: 'c', y: 'f/g' })).toThrow('it has a slash');
  });
});

test('text of the template that looks like an encoded value is text', () => {
  expect(fill('/%00/{id}/a/b', { id: '7' })).toBe('/%00/7/a/b');
  expect(() => fill('/a/%00/{id}', { id: '..' })).toThrow('cannot be part of the path');
});

test('a missing value is refused, also one that every object has', () => {
  expect(() => fill('/users/{id}', {})).toThrow(
    'The value of "id" cannot be part of the path: it is missing.',
  );
  expect(() => fill('/users/{toString}', {})).toThrow('it is missing');
});

test('whatever the value, the path keeps its segments or nothing is made', () => {
  const value = fc.string({
    unit: fc.constantFrom(
      '.',
      '.',
      '/',
      '\\',
      '%',
      '2',
      'e',
      'f',
      '5',
      'c',
      '?',
      '#',
      ';',
      '\r',
      '\n',
      ' ',
      'a',
      '\uFF0E',
      ':',
      '@',
    ),
    maxLength: 8,
  });
  let made = 0;
  fc.assert(
    fc.property(value, value, (id, note) => {
      let path: string;
      try {
        path = fill('/api/users/{id}/notes/{note}/x', { id, note });
      } catch {
        return;
      }
      made += 1;
      const url = new URL(`http://host${path}`);
      expect([url.host, url.search, url.hash]).toEqual(['host', '', '']);
      const [, api, users, first, notes, second, x, ...rest] = url.pathname.split('/');
      expect([api, users, notes, x, rest]).toEqual(['api', 'users', 'notes', 'x', []]);
      expect([decodeURIComponent(first ?? ''), decodeURIComponent(second ?? '')]).toEqual([id, note]);
    }),
    { numRuns: 2000 },
  );
  expect(made).toBeGreaterThan(100);
});
