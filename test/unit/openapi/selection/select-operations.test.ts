import { describe, expect, test } from 'vitest';
import { nameOperations } from '../../../../src/openapi/naming/name-operations.ts';
import type { Operation } from '../../../../src/openapi/model/operation.ts';
import { compileGlob } from '../../../../src/openapi/selection/glob.ts';
import { selectOperations } from '../../../../src/openapi/selection/select-operations.ts';
import type { OperationFilters, Selection } from '../../../../src/openapi/selection/select-operations.ts';
import { anOperation } from '../naming/an-operation.ts';
import { refused } from '../../../support/refused.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';

const OPERATIONS = [
  anOperation({ operationId: 'listPets', tags: ['Pets'] }),
  anOperation({ operationId: 'addPet', method: 'POST', tags: ['Pets', 'Write'] }),
  anOperation({ operationId: 'pet/get', path: '/pets/{petId}', tags: ['Pets'] }),
  anOperation({ operationId: 'removePet', method: 'DELETE', path: '/pets/{petId}', tags: ['Pets', 'Admin'] }),
  anOperation({ operationId: 'getOwnerPets', path: '/v1/owners/{id}/pets', tags: ['Owners'] }),
  anOperation({ path: '/v1/owners', deprecated: true }),
];

function select(filters: OperationFilters, operations: readonly Operation[] = OPERATIONS): Selection {
  return selectOperations(operations, filters, nameOperations(operations, { prefix: 'api_' }));
}

function kept(filters: OperationFilters): string[] {
  const { decisions, unmatched } = select(filters);
  expect(unmatched).toEqual([]);
  expect([...decisions.keys()]).toEqual(OPERATIONS);
  return OPERATIONS.filter((each) => decisions.get(each)?.kind === 'kept').map(({ key }) => key);
}

function reasons(filters: OperationFilters): (string | undefined)[] {
  return [...select(filters).decisions.values()].map((each) =>
    each.kind === 'kept' ? undefined : each.reason,
  );
}

const [LIST, ADD, GET, REMOVE, OF_OWNER, OWNERS] = [
  'GET /pets',
  'POST /pets',
  'GET /pets/{petId}',
  'DELETE /pets/{petId}',
  'GET /v1/owners/{id}/pets',
  'GET /v1/owners',
];

describe('include filters', () => {
  test('nothing said: everything', () => {
    const all = [LIST, ADD, GET, REMOVE, OF_OWNER, OWNERS];
    expect(kept({})).toEqual(all);
    expect(kept({ includeTools: [], includeTags: [], includeMethods: [], includeResources: [] })).toEqual(
      all,
    );
  });

  test.each<[string, OperationFilters, string[]]>([
    ['the name of a tool', { includeTools: ['API_listpets'] }, [LIST]],
    ['an operationId', { includeTools: ['pet/get', 'ADDPET'] }, [ADD, GET]],
    ['a key', { includeTools: ['get /pets/{petid}'] }, [GET]],
    [
      'an id of method and path',
      { includeTools: ['GET::pets__---petId', 'delete::pets__---petid'] },
      [GET, REMOVE],
    ],
    ['a pattern of names, which methods are not', { includeTools: ['get*'] }, [OF_OWNER]],
    ['a pattern of keys', { includeTools: ['get /pets*'] }, [LIST, GET]],
    ['a pattern of ids', { includeTools: ['*::v1__*'] }, [OF_OWNER, OWNERS]],
    ['tags in any case', { includeTags: ['owners', 'WRITE'] }, [ADD, OF_OWNER]],
    ['methods as operations', { includeOperations: ['post', 'Delete'] }, [ADD, REMOVE]],
    ['operationIds as operations', { includeOperations: ['listPets', '*pet'] }, [LIST, ADD, REMOVE]],
    ['methods', { includeMethods: ['post'] }, [ADD]],
    ['a part of the path', { includeResources: ['Pets'] }, [LIST, ADD, GET, REMOVE, OF_OWNER]],
    ['the beginning of the path', { includeResources: ['/pets/'] }, [LIST, ADD, GET, REMOVE]],
    ['a longer beginning', { includeResources: ['/v1/owners', 'v1/owners/{id}'] }, [OF_OWNER, OWNERS]],
    ['what is not deprecated', { includeDeprecated: false }, [LIST, ADD, GET, REMOVE, OF_OWNER]],
    ['a predicate', { filter: ({ tags }) => tags.length === 0 }, [OWNERS]],
    ['all filters at once', { includeTags: ['pets'], includeMethods: ['GET'] }, [LIST, GET]],
    [
      'operations and methods',
      { includeOperations: ['get'], includeMethods: ['get'], includeResources: ['owners'] },
      [OF_OWNER, OWNERS],
    ],
  ])('%s', (_what, filters, expected) => {
    expect(kept(filters)).toEqual(expected);
  });
});

describe('precedence', () => {
  test('includeTools overrides other include filters, and includes nothing else', () => {
    const filters: OperationFilters = {
      includeTools: ['get_v1_owners', OWNERS, 'addPet'],
      includeTags: ['pets'],
    };
    expect(select(filters).unmatched.map(({ message }) => message)).toEqual([
      'includeTools alone selects the operations: includeTags is ignored.',
      'includeTools: "get_v1_owners" matches no operation. Did you mean "GET /v1/owners"?',
    ]);
    expect(reasons({ ...filters, includeDeprecated: false })).toEqual([
      'not in includeTools',
      undefined,
      'not in includeTools',
      'not in includeTools',
      'not in includeTools',
      undefined,
    ]);
  });

  test('the mode explicit keeps nothing that is not named', () => {
    expect(kept({ mode: 'explicit' })).toEqual([]);
    expect(kept({ mode: 'explicit', includeTags: ['pets'] })).toEqual([]);
    expect(kept({ mode: 'explicit', includeTools: ['*pets'], includeMethods: ['post'] })).toEqual([
      LIST,
      OF_OWNER,
    ]);
  });

  test.each<[OperationFilters, string[]]>([
    [{ excludeTags: ['admin'] }, [LIST, ADD, GET, OF_OWNER, OWNERS]],
    [{ excludeTags: ['ADMIN'], includeTools: ['removePet', 'listPets'] }, [LIST]],
    [{ excludeTools: ['api_listPets'], includeTools: ['*'] }, [ADD, GET, REMOVE, OF_OWNER, OWNERS]],
    [{ excludeOperations: ['delete', 'pet/get'] }, [LIST, ADD, OF_OWNER, OWNERS]],
    [{ excludePaths: ['/v1/*', '/pets'] }, [GET, REMOVE]],
    [{ includeTools: ['removePet'], filter: () => false }, []],
  ])('what is excluded is out, whatever is included: %j', (filters, expected) => {
    expect(kept(filters)).toEqual(expected);
  });
});

test('there is a reason for everything that is left out', () => {
  expect(
    reasons({
      includeTags: ['pets'],
      includeMethods: ['get', 'delete'],
      excludeTags: ['admin'],
      filter: ({ path }) => path === '/pets',
    }),
  ).toEqual([
    undefined,
    'matches nothing in includeMethods',
    'the filter function excludes it',
    '"admin" is in excludeTags',
    'matches nothing in includeTags',
    'matches nothing in includeTags',
  ]);
  expect(reasons({ includeDeprecated: false })[5]).toBe('it is deprecated');
});

test('an entry that means nothing is reported, with what may have been meant', () => {
  const { unmatched } = select({
    includeTools: ['listPetz', 'listPets', 'nothing*'],
    includeTags: ['Ownerz'],
    includeMethods: ['FETCH'],
    includeResources: ['/petz'],
    excludeTags: ['admln', 'admin'],
    excludePaths: ['/pet'],
    excludeOperations: [''],
  });
  expect(unmatched.map(({ message }) => message)).toEqual([
    'includeTools alone selects the operations: includeTags, includeMethods, includeResources are ignored.',
    'includeTools: "listPetz" matches no operation. Did you mean "listPets"?',
    'includeTools: "nothing*" matches no operation.',
    'includeTags: "Ownerz" matches no operation. Did you mean "Owners"?',
    'includeMethods: "FETCH" matches no operation.',
    'includeResources: "/petz" matches no operation. Did you mean "/pets"?',
    'excludeTags: "admln" matches no operation. Did you mean "Admin"?',
    'excludeOperations: "" matches no operation.',
    'excludePaths: "/pet" matches no operation. Did you mean "/pets"?',
  ]);
});

test.each([
  [{ includeTag: ['a'] }, refused('includeTag', { reason: 'unknown-option' })],
  [{ mode: 'dynamic' }, refused('mode')],
  [{ includeTags: 'pets' }, refused('includeTags')],
  [{ excludeTools: [1] }, refused('excludeTools')],
  [
    {
      filter: () => {
        throw new Error('oops');
      },
    },
    'The filter failed for "GET /pets": oops',
  ],
])('filters that would not filter are refused: %j', (filters, message) => {
  expect(() => select(filters as OperationFilters)).toThrow(message);
});

test('10,000 operations and 1,000 entries are fast', () => {
  const operations = Array.from({ length: 10_000 }, (_, index) =>
    anOperation({ operationId: `operation${index}`, path: `/a/b/c/${index}` }),
  );
  const includeTools = Array.from({ length: 1000 }, (_, index) => `operation${index}`);
  let kept = 0;
  const choose = (): void => {
    const { decisions } = select({ includeTools, excludePaths: ['/a/*/c/999'] }, operations);
    kept = [...decisions.values()].filter(({ kind }) => kind === 'kept').length;
  };
  expect(cpuMsOf(choose)).toBeLessThan(2000);
  expect(kept).toBe(999);
});

describe('patterns', () => {
  test.each([
    ['*', '', true],
    ['*', 'anything/at all', true],
    ['/pets', '/PETS', true],
    ['/pets', '/pets/1', false],
    ['/pets/*', '/pets/1/toys', true],
    ['/pets/*', '/pets', false],
    ['*pets', '/a/pets', true],
    ['a*b*c', 'axxbyyc', true],
    ['a*b*c', 'axxcyyb', false],
    ['a*a', 'a', false],
    ['ab*ba', 'aba', false],
    ['a**c', 'abc', true],
    ['a.c', 'abc', false],
    ['{id}', '{id}', true],
    ['', '', true],
    ['', 'a', false],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(compileGlob(pattern)(text)).toBe(expected);
  });

  test('never take long', () => {
    const match = (): void => expect(compileGlob(`${'*a'.repeat(1000)}b`)('a'.repeat(100_000))).toBe(false);
    expect(cpuMsOf(match)).toBeLessThan(500);
  });
});
