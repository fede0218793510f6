import { describe, expect, test } from 'vitest';
import { assertRouteMaps, decideKind } from '../../../../src/openapi/selection/route-maps.ts';
import type { RouteMap } from '../../../../src/openapi/selection/route-maps.ts';
import type { OperationKind } from '../../../../src/openapi/selection/operation-override.ts';
import { anOperation, aParameter } from '../naming/an-operation.ts';
import { refused } from '../../../support/refused.ts';

const PET = anOperation({
  path: '/pets/{id}',
  tags: ['Pets'],
  parameters: [
    aParameter({ name: 'id', in: 'path', required: true }),
    aParameter({ name: 'fields', in: 'query' }),
  ],
});

function kindOf(map: Omit<RouteMap, 'kind'>, operation = PET): OperationKind {
  return decideKind(operation, [{ ...map, kind: 'none' }]).kind;
}

describe('which map holds', () => {
  test('none: it is a tool', () => {
    expect(decideKind(PET)).toEqual({ kind: 'tool', override: {} });
    expect(decideKind(PET, [{ methods: ['POST'], kind: 'none' }])).toEqual({ kind: 'tool', override: {} });
  });

  test.each<[string, Omit<RouteMap, 'kind'>, boolean]>([
    ['all that is not said holds', {}, true],
    ['methods in any case', { methods: ['post', 'get'] }, true],
    ['other methods', { methods: ['post'] }, false],
    ['no methods', { methods: [] }, true],
    ['a path', { path: '/PETS/*' }, true],
    ['a part of a path', { path: '/pets' }, false],
    ['an expression', { path: /^\/pets\/\{/ }, true],
    ['another expression', { path: /^pets/ }, false],
    ['tags in any case', { tags: ['x', 'PETS'] }, true],
    ['other tags', { tags: ['x'] }, false],
    ['a function', { match: ({ key }) => key === 'GET /pets/{id}' }, true],
    ['another function', { match: () => false }, false],
    ['only one of two', { methods: ['GET'], tags: ['x'] }, false],
  ])('%s', (_what, map, isMeant) => {
    expect(kindOf(map)).toBe(isMeant ? 'none' : 'tool');
  });

  test('an expression says the same every time', () => {
    const path = /pets/g;
    expect([kindOf({ path }), kindOf({ path }), kindOf({ path })]).toEqual(['none', 'none', 'none']);
  });

  test('the first that fits', () => {
    const maps: RouteMap[] = [
      { tags: ['x'], kind: 'resource' },
      { methods: ['GET'], kind: 'resource-template' },
      { kind: 'none' },
    ];
    expect(decideKind(PET, maps).kind).toBe('resource-template');
  });
});

describe('overrides', () => {
  test('an override of the operation wins over the route map', () => {
    const maps: RouteMap[] = [{ kind: 'none', override: { category: 'a', title: 'A', kind: 'resource' } }];
    expect(decideKind(PET, maps, { title: 'B' })).toEqual({
      kind: 'none',
      override: { category: 'a', title: 'B', kind: 'resource' },
    });
    expect(decideKind(PET, maps, { kind: 'tool' }).kind).toBe('tool');
  });

  test('hidden operations are not imported', () => {
    expect(decideKind(PET, [], { hidden: true, kind: 'tool' }).kind).toBe('none');
    expect(decideKind(PET, [{ kind: 'tool', override: { hidden: true } }], { hidden: false }).kind).toBe(
      'tool',
    );
  });
});

describe('operations that cannot be resources become tools', () => {
  const needed = aParameter({ name: 'q', in: 'query', required: true });
  const body = { description: undefined, required: true, contents: [] };

  test.each([
    ['resource', anOperation(), 'resource', undefined],
    [
      'resource',
      anOperation({ parameters: [aParameter({ name: 'q', in: 'query' })] }),
      'resource',
      undefined,
    ],
    [
      'resource',
      PET,
      'tool',
      'It is a tool, not a resource: it needs the parameter "id"; use a resource template.',
    ],
    [
      'resource',
      anOperation({ path: '/pets/{id}' }),
      'tool',
      'It is a tool, not a resource: it needs the parameter "id"; use a resource template.',
    ],
    [
      'resource',
      anOperation({ parameters: [needed] }),
      'tool',
      'It is a tool, not a resource: it needs the parameter "q".',
    ],
    [
      'resource',
      anOperation({ method: 'HEAD' }),
      'tool',
      'It is a tool, not a resource: only GET operations can be resources, and this is HEAD.',
    ],
    ['resource', anOperation({ body }), 'tool', 'It is a tool, not a resource: it needs a body.'],
    ['resource', anOperation({ body: { ...body, required: false } }), 'resource', undefined],
    ['resource-template', PET, 'resource-template', undefined],
    [
      'resource-template',
      { ...PET, parameters: [...PET.parameters, needed] },
      'tool',
      'It is a tool, not a resource template: it needs the parameter "q".',
    ],
    [
      'resource-template',
      { ...PET, parameters: [...PET.parameters, aParameter({ name: 'id', in: 'header', required: true })] },
      'tool',
      'It is a tool, not a resource template: it needs the parameter "id".',
    ],
    [
      'resource-template',
      { ...PET, method: 'DELETE' },
      'tool',
      'It is a tool, not a resource template: only GET operations can be resources, and this is DELETE.',
    ],
    [
      'resource-template',
      anOperation(),
      'resource',
      'It is a resource, not a resource template: it has no parameters.',
    ],
    ['tool', { ...PET, method: 'DELETE' }, 'tool', undefined],
    ['none', { ...PET, method: 'DELETE' }, 'none', undefined],
  ] as const)('%s (%#)', (wanted, operation, kind, note) => {
    const decision = decideKind(operation, [{ kind: wanted }]);
    expect(decision.kind).toBe(kind);
    expect(decision.note).toBe(note);
  });

  test('arguments that an override sets are not required', () => {
    const operation = { ...PET, parameters: [...PET.parameters, needed] };
    const override = { arguments: { q: { default: '' }, 'path.id': { fixed: 7 } } };
    expect(decideKind(operation, [{ kind: 'resource' }], override).kind).toBe('resource');
    expect(
      decideKind(operation, [{ kind: 'resource-template' }], { arguments: { q: { fixed: 1 } } }).kind,
    ).toBe('resource-template');
  });
});

test.each([
  [[{ kind: 'prompt' }], refused('routeMaps', { path: [0, 'kind'] })],
  [
    [{ kind: 'tool' }, { kind: 'tool', method: ['GET'] }],
    refused('routeMaps', { path: [1, 'method'], reason: 'unknown-option' }),
  ],
  [[{ kind: 'tool', methods: 'GET' }], refused('routeMaps', { path: [0, 'methods'] })],
  [[{ kind: 'tool', tags: [1] }], refused('routeMaps', { path: [0, 'tags'] })],
])('maps that are misspelt are refused: %j', (maps, message) => {
  expect(() => {
    assertRouteMaps(maps as unknown as RouteMap[]);
  }).toThrow(message);
});

test('a function that fails says where', () => {
  const match = (): boolean => {
    throw new Error('oops');
  };
  expect(() => decideKind(PET, [{ match, kind: 'tool' }])).toThrow(
    '"match" of route map 1 failed for "GET /pets/{id}": oops',
  );
});
