import { describe, expect, test } from 'vitest';
import { findMatches } from '../../../../src/openapi/document/json-path/find-matches.ts';
import type { PathMatch } from '../../../../src/openapi/document/json-path/find-matches.ts';
import { parsePath } from '../../../../src/openapi/document/json-path/parse-path.ts';
import { PathMistake } from '../../../../src/openapi/document/json-path/path-scanner.ts';

/** The path of a match: `a/0/b`. */
function wayTo({ parent, key }: PathMatch): string {
  if (parent === undefined) return '';
  const before = wayTo(parent);
  return before === '' ? String(key) : `${before}/${String(key)}`;
}

const waysOf = (root: unknown, path: string): string[] => findMatches(root, parsePath(path)).map(wayTo);
const valuesOf = (root: unknown, path: string): unknown[] =>
  findMatches(root, parsePath(path)).map(({ value }) => value);

const API = {
  info: { title: 'Pets', 'x-internal': true },
  paths: {
    '/pets': {
      get: {
        tags: ['pets', 'public'],
        parameters: [
          { name: 'filter', in: 'query' },
          { name: 'id', in: 'header' },
          { name: 'filter', in: 'header' },
        ],
        'x-oai-traits': ['paged'],
        responses: { 200: {}, 500: {} },
      },
      post: { deprecated: true, responses: { 500: {}, default: {} } },
    },
    '/pets/{id}': { get: { 'x-rate': 7, responses: { 404: null } } },
  },
};

describe('a path leads', () => {
  test.each([
    ['$', ['']],
    ['$.info', ['info']],
    ["$['info']['title']", ['info/title']],
    ['$["info"].title', ['info/title']],
    ['$ .info [ "title" ]', ['info/title']],
    ['$.info.x-internal', ['info/x-internal']],
    ["$.paths['/pets'].get.tags[0]", ['paths//pets/get/tags/0']],
    ["$.paths['/pets'].get.tags[-1]", ['paths//pets/get/tags/1']],
    ["$.paths['/pets'].get.tags[2]", []],
    ["$.paths['/pets'].get.tags.length", []],
    ['$.paths./pets/{id}.get', ['paths//pets/{id}/get']],
    ['$.paths.*.get', ['paths//pets/get', 'paths//pets/{id}/get']],
    ['$.paths[*].post', ['paths//pets/post']],
    [
      "$.paths['/pets']['get','post'].responses['500']",
      ['paths//pets/get/responses/500', 'paths//pets/post/responses/500'],
    ],
    ['$.paths..responses.500', ['paths//pets/get/responses/500', 'paths//pets/post/responses/500']],
    ["$..['404']", ['paths//pets/{id}/get/responses/404']],
    ["$..parameters[?@.name=='filter' && @.in=='query']", ['paths//pets/get/parameters/0']],
    [
      "$..parameters[?(@.name == 'filter')]",
      ['paths//pets/get/parameters/0', 'paths//pets/get/parameters/2'],
    ],
    [
      "$..parameters[?@.name!='filter' || @.in=='header']",
      ['paths//pets/get/parameters/1', 'paths//pets/get/parameters/2'],
    ],
    ['$.paths.*[?@.deprecated == true]', ['paths//pets/post']],
    ['$.paths.*[?@.deprecated]', ['paths//pets/post']],
    ['$.paths.*[?!@.deprecated]', ['paths//pets/get', 'paths//pets/{id}/get']],
    ['$.paths.*[?!(@.deprecated || @.x-rate)]', ['paths//pets/get']],
    ["$.paths[?(@.get['x-oai-traits'][?(@ == 'paged')])].get", ['paths//pets/get']],
    ["$.paths.*.*.tags[?@ == 'public']", ['paths//pets/get/tags/1']],
    ['$.paths.*[?@.x-rate >= 7]', ['paths//pets/{id}/get']],
    ['$.paths.*[?7 < @.x-rate]', []],
    ["$.paths.*[?@.responses['404'] == null]", ['paths//pets/{id}/get']],
    ['$.paths.*[?@.nothing == @.neither]', ['paths//pets/get', 'paths//pets/post', 'paths//pets/{id}/get']],
    ['$.paths.*[?length(@.tags) == 2]', ['paths//pets/get']],
    ['$.paths.*[?count(@.responses.*) > 1]', ['paths//pets/get', 'paths//pets/post']],
    ['$.paths.*[?value(@..x-rate) == 7]', ['paths//pets/{id}/get']],
    [
      "$..parameters[?match(@.name, 'fil.*')].in",
      ['paths//pets/get/parameters/0/in', 'paths//pets/get/parameters/2/in'],
    ],
    ["$..parameters[?match(@.name, 'il')]", []],
    [
      "$..parameters[?search(@.in, 'ea')].name",
      ['paths//pets/get/parameters/1/name', 'paths//pets/get/parameters/2/name'],
    ],
    ["$.info[?@ == $.info['title']]", ['info/title']],
    ['$.constructor', []],
    ["$['__proto__']", []],
  ])('%s', (path, ways) => {
    expect(waysOf(API, path)).toEqual(ways);
  });

  test('to parts of lists', () => {
    const list = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const slices = {
      '[1:3]': ['b', 'c'],
      '[5:]': ['f', 'g'],
      '[1:5:2]': ['b', 'd'],
      '[5:1:-2]': ['f', 'd'],
      '[::-1]': ['g', 'f', 'e', 'd', 'c', 'b', 'a'],
      '[-2:]': ['f', 'g'],
      '[:-5]': ['a', 'b'],
      '[ 0 : 99 : 3 ]': ['a', 'd', 'g'],
      '[0:2:0]': [],
      '[0, -1, 0]': ['a', 'g'],
    };
    expect(
      Object.fromEntries(Object.keys(slices).map((slice) => [slice, valuesOf(list, `$${slice}`)])),
    ).toEqual(slices);
  });

  test('to each match once, and to every match that shares a value', () => {
    const shared = { deep: { deep: 1 } };
    expect(waysOf({ a: shared, b: shared }, '$..deep')).toEqual([
      'a/deep',
      'a/deep/deep',
      'b/deep',
      'b/deep/deep',
    ]);
    expect(waysOf({ a: { b: { c: {} } } }, '$..*..*')).toEqual(['a/b', 'a/b/c']);
  });

  test('to names in any writing', () => {
    const names = { "it's": 1, 'a"b': 2, '\u00E9': 3, 'tab\t': 4, '\u263A': 5, $ref: 6 };
    const paths = [
      String.raw`$['it\'s']`,
      `$["it's"]`,
      String.raw`$["a\"b"]`,
      '$.\u00E9',
      String.raw`$['tab\t']`,
    ];
    expect(paths.map((path) => valuesOf(names, path))).toEqual([[1], [1], [2], [3], [4]]);
    expect(valuesOf(names, String.raw`$["\u263a"]`)).toEqual([5]);
    expect(valuesOf(names, '$.$ref')).toEqual([6]);
  });
});

describe('a path that is not understood says where', () => {
  test.each([
    ['', 'expected "$", at character 1'],
    ['info', 'expected "$", at character 1'],
    ['$.', 'expected a name, at character 3'],
    ['$info', 'unexpected character, at character 2'],
    ['$[', 'expected a name in quotes, an index, "*" or a filter, at character 3'],
    ['$[0', 'expected "]", at character 4'],
    ['$[1.5]', 'expected a name in quotes, an index, "*" or a filter, at character 3'],
    ["$['a", 'missing closing quote, at character 5'],
    [String.raw`$['\x']`, 'unknown escape sequence, at character 5'],
    ['$[?@.a =~ /x/]', 'expected one of == != <= >= < >, at character 8'],
    ["$[?@.a = 'b']", 'expected one of == != <= >= < >, at character 8'],
    ['$[?@.* == 1]', 'only paths to a single value can be compared, at character 12'],
    ["$[?contains(@.a, 'b')]", 'unknown name contains, at character 12'],
    ['$[?1]', 'expected one of == != <= >= < >, at character 5'],
    ['$[?count(1) == 1]', 'count requires a path, at character 11'],
    ["$[?match(@.a, 'b') == true]", 'expected "]", at character 20'],
    [`$[?${'('.repeat(100)}`, 'it is nested too deeply'],
    [`$[?${'!'.repeat(10_000)}@.a]`, 'it is nested too deeply'],
    [`$${'[?@'.repeat(10_000)}`, 'it is nested too deeply'],
  ])('%s', (path, message) => {
    expect(() => parsePath(path)).toThrow(PathMistake);
    expect(() => parsePath(path)).toThrow(message);
  });

  test('or that it would never come to an end', () => {
    const wide = Array.from({ length: 300 }, (_, at) => ({
      at,
      list: Array.from({ length: 300 }, () => ({})),
    }));
    expect(() => waysOf(wide, '$..[?$..[?@.x]]')).toThrow('it takes too many steps');
  });

  test('or that an expression in it is none', () => {
    expect(() => waysOf(['x'], "$[?match(@, '(')]")).toThrow('"^(?:()$" is not a valid regular expression');
  });
});
