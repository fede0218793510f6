import { describe, expect, test } from 'vitest';
import { abbreviateName } from '../../../../src/openapi/naming/abbreviate-name.ts';
import { annotationsOf } from '../../../../src/openapi/naming/method-annotations.ts';
import { nameOperations } from '../../../../src/openapi/naming/name-operations.ts';
import type { NameOptions } from '../../../../src/openapi/naming/name-operations.ts';
import { safeArgumentName } from '../../../../src/openapi/naming/safe-argument-name.ts';
import { shortHash } from '../../../../src/openapi/naming/short-hash.ts';
import type { Operation } from '../../../../src/openapi/model/operation.ts';
import { anOperation } from './an-operation.ts';
import { refused } from '../../../support/refused.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';

function namesOf(operations: readonly Operation[], options?: NameOptions): string[] {
  return [...nameOperations(operations, options).values()];
}

function nameOf(given: Partial<Operation>, options?: NameOptions): string | undefined {
  return namesOf([anOperation(given)], options)[0];
}

const LONG_ID = 'repositoriesListOrganizationAuthenticationConfigurationsForAdministratorsOfTheGroup';

describe('the name of an operation', () => {
  test.each([
    ['listPets', 'listPets'],
    ['read_item_items__item_id__get', 'read_item_items__item_id__get'],
    ['repos/get-by.id', 'repos_get-by_id'],
    ['  get pets!! ', 'get_pets'],
    ['gr\u00f6\u00dfe_\u00e9t\u00e9', 'gro_e_ete'],
    ['2fa-enable', 'get_2fa-enable'],
    ['123', 'get_123'],
    ['-x', 'get_-x'],
    ['__proto__', '__proto__'],
    ['\u83b7\u53d6\u7528\u6237', 'get_pets_petId_toys'],
    ['___', 'get_pets_petId_toys'],
    ['', 'get_pets_petId_toys'],
    [undefined, 'get_pets_petId_toys'],
  ])('comes from its operationId, else from method and path: %s', (operationId, expected) => {
    expect(nameOf({ operationId, path: '/pets/{petId}/toys' })).toBe(expected);
  });

  test.each([
    ['GET', '/', 'get_root'],
    ['DELETE', '/a-b/{c.d}/', 'delete_a-b_c_d'],
    ['M-SEARCH', '/x', 'm-search_x'],
    ['1', '/x', 'call_x'],
    ['', '', 'call_root'],
  ])('%s %s', (method, path, expected) => {
    expect(nameOf({ method, path })).toBe(expected);
  });

  test('may be chosen, and an empty choice is none', () => {
    expect(nameOf({ operationId: 'a' }, { chosen: () => 'pets.find all' })).toBe('pets_find_all');
    expect(nameOf({ operationId: 'a' }, { chosen: () => ' ' })).toBe('a');
  });

  test('has a prefix that counts', () => {
    expect(nameOf({ operationId: '2fa' }, { prefix: 'github_' })).toBe('github_2fa');
    expect(nameOf({ operationId: 'x'.repeat(60) }, { prefix: 'github_' })).toBe(
      `github_${'x'.repeat(49)}_o2a0uv0`,
    );
  });

  test('is cut at the end of a word, with a hash of its key', () => {
    expect(nameOf({ operationId: LONG_ID })).toBe(
      'repositoriesListOrganizationAuthenticationConfigurations_o2a0uv0',
    );
    expect(nameOf({ operationId: LONG_ID, path: '/other' })).toBe(
      'repositoriesListOrganizationAuthenticationConfigurations_v1rek71',
    );
    expect(nameOf({ operationId: `${'a'.repeat(50)}_${'b'.repeat(50)}` })).toBe(`${'a'.repeat(50)}_o2a0uv0`);
    expect(nameOf({ operationId: LONG_ID }, { maxLength: 128 })).toBe(LONG_ID);
    expect(nameOf({ operationId: LONG_ID }, { maxLength: 8 })).toBe('o2a0uv0');
    expect(nameOf({ operationId: LONG_ID }, { maxLength: 1 })).toBe('o');
  });

  test('is abbreviated only if asked to', () => {
    expect(nameOf({ operationId: 'getUserConfiguration' }, { abbreviate: 'long' })).toBe(
      'getUserConfiguration',
    );
    expect(nameOf({ operationId: 'getUserConfiguration' }, { abbreviate: 'always' })).toBe('getUsrConfig');
    expect(nameOf({ operationId: LONG_ID }, { abbreviate: 'long' })).toBe(
      'reposListOrgAuthnConfigsAdminsGrp',
    );
    expect(nameOf({ operationId: LONG_ID }, { abbreviate: 'long', maxLength: 32 })).toBe(
      'reposListOrgAuthnConfigs_o2a0uv0',
    );
    expect(nameOf({}, { abbreviate: 'always', chosen: () => 'getUserConfiguration' })).toBe(
      'getUserConfiguration',
    );
  });
});

describe('names are unique', () => {
  test('the operation that is really called so keeps its name', () => {
    const made = anOperation({ operationId: 'get/user', path: '/a' });
    const real = anOperation({ operationId: 'get_user', path: '/b' });
    const path = anOperation({ path: '/user' });
    expect(namesOf([made, real, path])).toEqual(['get_user_x1mv6gi', 'get_user', 'get_user_q16j8y0']);
  });

  test('a chosen name is stronger than an operationId', () => {
    const own = anOperation({ operationId: 'find', path: '/a' });
    const chosen = anOperation({ operationId: 'other', path: '/b' });
    const options = { chosen: (each: Operation) => (each === chosen ? 'find' : undefined) };
    expect(namesOf([own, chosen], options)).toEqual([`find_${shortHash('GET /a')}`, 'find']);
  });

  test('operations with an equal claim get a hash, so that a name never passes to another operation', () => {
    const first = anOperation({ operationId: 'find', path: '/a' });
    const second = anOperation({ operationId: 'Find', path: '/b' });
    expect(namesOf([first, second])).toEqual([`find_${shortHash('GET /a')}`, `Find_${shortHash('GET /b')}`]);
    expect(namesOf([second])).toEqual(['Find']);
  });

  test('names of others are avoided, in any case', () => {
    expect(nameOf({ operationId: 'find' }, { reserved: new Set(['FIND']) })).toBe('find_o2a0uv0');
    expect(nameOf({ operationId: 'find' }, { reserved: new Set(['FIND', 'find_o2a0uv0']) })).toBe(
      `find_${shortHash('GET /pets 1')}`,
    );
  });

  test('the prefix is part of what is compared', () => {
    expect(nameOf({ operationId: 'find' }, { prefix: 'a_', reserved: new Set(['find']) })).toBe('a_find');
    expect(nameOf({ operationId: 'find' }, { prefix: 'a_', reserved: new Set(['a_find']) })).toBe(
      'a_find_o2a0uv0',
    );
  });

  test('also if an operation is called what another one is renamed to', () => {
    const operations = [
      anOperation({ operationId: 'find', path: '/a' }),
      anOperation({ operationId: 'find', path: '/b' }),
      anOperation({ operationId: `find_${shortHash('GET /a')}`, path: '/c' }),
    ];
    const names = namesOf(operations);
    expect(new Set(names).size).toBe(3);
    expect(names[2]).toBe(`find_${shortHash('GET /a')}`);
  });

  test('also if two operations are the same', () => {
    const names = namesOf([anOperation(), anOperation(), anOperation()]);
    expect(new Set(names).size).toBe(3);
  });
});

describe('names stay', () => {
  const operations = [
    ...['/a', '/b', '/c/{d}', '/c/d'].map((path) => anOperation({ path })),
    ...['find', 'get/user', LONG_ID, `${LONG_ID}2`].map((operationId) =>
      anOperation({ operationId, path: `/${operationId}` }),
    ),
  ];

  test('whatever the order', () => {
    const forward = nameOperations(operations);
    const backward = nameOperations(operations.toReversed());
    for (const operation of operations) expect(backward.get(operation)).toBe(forward.get(operation));
    expect([...backward.keys()]).toEqual(operations.toReversed());
  });

  test('whatever the order, also where hashes are so short that some are the same', () => {
    const many = Array.from({ length: 20 }, (_, index) => anOperation({ path: `/pets/${index}` }));
    const forward = nameOperations(many, { maxLength: 2 });
    const backward = nameOperations(many.toReversed(), { maxLength: 2 });
    expect(new Set(forward.values()).size).toBe(20);
    expect(new Set(many.map(({ key }) => shortHash(key).slice(0, 2))).size).toBeLessThan(20);
    for (const operation of many) expect(backward.get(operation)).toBe(forward.get(operation));
  });

  test('when operations come that want others', () => {
    const before = nameOperations(operations);
    const after = nameOperations([
      anOperation({ operationId: 'new', path: '/new' }),
      ...operations,
      anOperation({ operationId: 'find/', path: '/find2' }),
      anOperation({ operationId: `${LONG_ID}3`, path: '/long3' }),
    ]);
    for (const operation of operations) expect(after.get(operation)).toBe(before.get(operation));
  });
});

describe('many operations', () => {
  test('10,000 are named in no time, and all differently', () => {
    const operations = Array.from({ length: 10_000 }, (_, index) =>
      anOperation({
        path: `/organizations/{organization}/repositories/${index}/configurations`,
        operationId: index % 3 === 0 ? undefined : `${LONG_ID}${index % 3 === 1 ? index : ''}`,
      }),
    );
    let names: readonly string[] = [];
    expect(cpuMsOf(() => (names = namesOf(operations, { prefix: 'api_' })))).toBeLessThan(1000);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(10_000);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
  });

  test('names that leave no room for all of them are refused', () => {
    const operations = Array.from({ length: 100 }, (_, index) => anOperation({ path: `/${index}` }));
    expect(() => namesOf(operations, { maxLength: 1 })).toThrow(
      /^No name of at most 1 characters is left for the operation "GET \/\d+"\. Allow longer names\.$/,
    );
  });
});

test.each<[NameOptions, string | Error]>([
  [{ maxLength: 0 }, refused('maxNameLength')],
  [{ maxLength: 129 }, refused('maxNameLength')],
  [{ prefix: 'a.b' }, refused('namespace')],
  [
    { prefix: 'abc_', maxLength: 4 },
    'The prefix "abc_" leaves no room for a name of at most 4 characters. Choose a shorter one.',
  ],
])('options that cannot be met are refused: %j', (options, message) => {
  expect(() => namesOf([], options)).toThrow(message);
});

describe('abbreviation', () => {
  test.each([
    ['ServiceUsersManagementController_updateServiceUsersAuthorityGroup', 'SvcUsrsMgmt_updSvcUsrsAuthGrp'],
    ['get_the_categories_of_an_address', 'get_cats_an_addr'],
    ['listAddresses', 'listAddrs'],
    ['API_REQUEST', 'API_REQ'],
    ['get-pets-for', 'get-pets'],
    ['for', 'for'],
    ['', ''],
  ])('%s', (name, expected) => {
    expect(abbreviateName(name, 'words')).toBe(expected);
  });

  test('takes vowels out of long words when that is not enough', () => {
    expect(abbreviateName('listNotificationsOfEagle', 'vowels')).toBe('listNtfctnsEagle');
  });
});

describe('the name of an argument', () => {
  test.each([
    ['id', 'id'],
    ['user.name', 'user.name'],
    ['X-Request-ID', 'X-Request-ID'],
    ['filter[status]', 'filter_status'],
    ['ids[]', 'ids'],
    ['$top', 'top'],
    ['a  b', 'a_b'],
    ['\u65e5\u672c', 'argument'],
    ['..', 'argument'],
    ['', 'argument'],
    ['__proto__', '__proto___'],
    ['constructor', 'constructor_'],
    ['prototype', 'prototype_'],
    ['toString', 'toString_'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), `${'x'.repeat(56)}_${shortHash('x'.repeat(65))}`],
  ])('%s', (name, expected) => {
    expect(safeArgumentName(name, new Set())).toBe(expected);
  });

  test('is not one that is taken', () => {
    expect(safeArgumentName('filter[status]', new Set(['filter_status']))).toBe('filter_status_2');
    const taken = new Set<string>();
    for (let index = 0; index < 3000; index += 1)
      taken.add(safeArgumentName(`a${'['.repeat(index)}b`, taken));
    expect(taken.size).toBe(3000);
    for (const name of taken) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    const [full] = ['y'.repeat(64)];
    expect(safeArgumentName(full, new Set([full]))).toBe(`${'y'.repeat(62)}_2`);
  });
});

test.each([
  ['GET', [true, false, true]],
  ['head', [true, false, true]],
  ['OPTIONS', [true, false, true]],
  ['QUERY', [true, false, true]],
  ['TRACE', [true, false, true]],
  ['PUT', [false, false, true]],
  ['POST', [false, false, false]],
  ['PATCH', [false, false, false]],
  ['DELETE', [false, true, true]],
  ['COPY', [false, true, false]],
])('annotations of %s', (method, [readOnlyHint, destructiveHint, idempotentHint]) => {
  expect(annotationsOf(method)).toEqual({
    readOnlyHint,
    destructiveHint,
    idempotentHint,
    openWorldHint: true,
  });
});

test('hashes never change', () => {
  expect(['', 'GET /pets', 'GET /pets/{id}', '\u65e5'].map(shortHash)).toEqual([
    'n0zzzz6',
    'o2a0uv0',
    'a03wzg8',
    'h24u57l',
  ]);
});
