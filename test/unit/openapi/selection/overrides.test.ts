import { describe, expect, test } from 'vitest';
import {
  argumentOverrideOf,
  mergeOverrides,
  unmatchedArguments,
} from '../../../../src/openapi/selection/operation-override.ts';
import type { OperationOverride } from '../../../../src/openapi/selection/operation-override.ts';
import { readExtensions, readRootExtensions } from '../../../../src/openapi/selection/read-extensions.ts';
import { readOverride } from '../../../../src/openapi/selection/read-override.ts';

describe('overrides are merged', () => {
  test('the later one wins, and what has members is merged by them', () => {
    expect(
      mergeOverrides(
        {
          name: 'a',
          tags: ['x'],
          annotations: { readOnlyHint: true, idempotentHint: true },
          arguments: { id: { name: 'petId', hidden: true }, other: { default: 1 } },
          response: { select: 'data', maxChars: 10 },
        },
        undefined,
        {
          name: 'b',
          tags: ['y'],
          annotations: { readOnlyHint: false },
          arguments: { id: { hidden: false }, more: { fixed: null } },
          response: { maxChars: 20 },
        },
      ),
    ).toEqual({
      name: 'b',
      tags: ['y'],
      annotations: { readOnlyHint: false, idempotentHint: true },
      arguments: { id: { name: 'petId', hidden: false }, other: { default: 1 }, more: { fixed: null } },
      response: { select: 'data', maxChars: 20 },
    });
    expect(mergeOverrides()).toEqual({});
  });

  test('undefined removes nothing', () => {
    const empty = { name: undefined, arguments: { id: { name: undefined } } } as unknown as OperationOverride;
    expect(mergeOverrides({ name: 'a', arguments: { id: { name: 'x' } } }, empty)).toEqual({
      name: 'a',
      arguments: { id: { name: 'x' } },
    });
  });

  test('an argument may have any name', () => {
    const given = JSON.parse('{ "arguments": { "__proto__": { "hidden": true } } }') as OperationOverride;
    const merged = mergeOverrides(given, { arguments: { toString: { name: 'x' } } });
    expect(Object.keys(merged.arguments ?? {})).toEqual(['__proto__', 'toString']);
    expect(argumentOverrideOf(merged, 'query', '__proto__')).toEqual({ hidden: true });
    expect(argumentOverrideOf(merged, 'query', 'constructor')).toEqual({});
    expect(Object.prototype).not.toHaveProperty('hidden');
  });
});

describe('an argument is found', () => {
  const override: OperationOverride = {
    arguments: {
      id: { name: 'any', hidden: true },
      'query.id': { name: 'queried' },
      'header.x-tenant': { fixed: 't' },
      body: { description: 'All of it' },
    },
  };

  test('by its name, and over that by its location', () => {
    expect(argumentOverrideOf(override, 'path', 'id')).toEqual({ name: 'any', hidden: true });
    expect(argumentOverrideOf(override, 'query', 'id')).toEqual({ name: 'queried', hidden: true });
    expect(argumentOverrideOf(override, 'body', 'body')).toEqual({ description: 'All of it' });
    expect(argumentOverrideOf({}, 'query', 'id')).toEqual({});
  });

  test('in any case if it is a header', () => {
    expect(argumentOverrideOf(override, 'header', 'X-Tenant')).toEqual({ fixed: 't' });
    expect(argumentOverrideOf(override, 'header', 'ID')).toEqual({ name: 'any', hidden: true });
    expect(argumentOverrideOf(override, 'query', 'ID')).toEqual({});
  });

  test('or it is told that there is none', () => {
    expect(
      unmatchedArguments(override, [
        { location: 'path', property: 'id' },
        { location: 'header', property: 'X-Tenant' },
      ]),
    ).toEqual(['query.id', 'body']);
    expect(unmatchedArguments({}, [{ location: 'path', property: 'id' }])).toEqual([]);
  });
});

describe('extensions', () => {
  test('each has an extension of its own', () => {
    const read = readExtensions({
      'x-mcp-name': ' find\u200b_pets ',
      'x-mcp-title': 'Find <b>pets</b>',
      'x-mcp-description': 'Finds\u202e pets.',
      'x-mcp-enabled': false,
      'x-mcp-tags': ['a', 'b'],
      'x-mcp-category': 'pets',
      'x-mcp-annotations': { readOnlyHint: true },
      'x-mcp-scopes': ['pets:read'],
      'x-mcp-missing-scopes': 'challenge',
      'x-mcp-kind': 'resource',
      'x-mcp-timeout-ms': 5000,
      'x-mcp-confirm': 'preview',
      'x-mcp-arguments': { id: { name: 'petId', fixed: null, default: 0, secret: true, required: false } },
      'x-mcp-response': { select: ['data.id'], maxChars: 100 },
      'x-other': 7,
    });
    expect(read).toEqual({
      override: {
        name: 'find_pets',
        title: 'Find pets',
        description: 'Finds pets.',
        hidden: true,
        tags: ['a', 'b'],
        category: 'pets',
        annotations: { readOnlyHint: true },
        scopes: ['pets:read'],
        missingScopes: 'challenge',
        kind: 'resource',
        timeoutMs: 5000,
        confirm: 'preview',
        arguments: { id: { name: 'petId', fixed: null, default: 0, secret: true, required: false } },
        response: { select: ['data.id'], maxChars: 100 },
      },
      notes: [],
    });
  });

  test.each([
    [{ 'x-mcp': false }, { hidden: true }],
    [{ 'x-mcp': true }, { hidden: false }],
    [{ 'x-mcp': { name: 'a', timeoutMs: 1, enabled: true } }, { name: 'a', timeoutMs: 1, hidden: false }],
    [{ 'x-mcp': { enabled: true, hidden: true } }, { hidden: true }],
    [
      { 'x-mcp-name': 'b', 'x-mcp': { name: 'a', title: 'A' } },
      { name: 'b', title: 'A' },
    ],
    [{ 'x-mcp': false, 'x-mcp-hidden': false }, { hidden: false }],
    [{}, {}],
  ])('x-mcp is all of them: %j', (extensions, override) => {
    expect(readExtensions(extensions)).toEqual({ override, notes: [] });
  });

  test.each([
    [{ 'x-mcp': 'yes' }, '"x-mcp" must be true, false or an object; it is ignored.'],
    [{ 'x-mcp-name': 7 }, '"x-mcp-name" must be a non-empty string; it is ignored.'],
    [{ 'x-mcp-name': ' ' }, '"x-mcp-name" must be a non-empty string; it is ignored.'],
    [{ 'x-mcp-description': '<p>' }, '"x-mcp-description" must be a non-empty string; it is ignored.'],
    [{ 'x-mcp-hidden': 'true' }, '"x-mcp-hidden" must be true or false; it is ignored.'],
    [{ 'x-mcp-tags': ['a', 1] }, '"x-mcp-tags" must be an array of strings; it is ignored.'],
    [{ 'x-mcp-annotations': [] }, '"x-mcp-annotations" must be an object; it is ignored.'],
    [
      { 'x-mcp-kind': 'prompt' },
      '"x-mcp-kind" must be "tool" or "resource" or "resource-template" or "none"; it is ignored.',
    ],
    [{ 'x-mcp-timeout-ms': -1 }, '"x-mcp-timeout-ms" must be an integer of at least 1; it is ignored.'],
    [
      { 'x-mcp-arguments': 'x' },
      '"x-mcp-arguments" must be an object with a member for each argument; it is ignored.',
    ],
  ])('what has the wrong type is ignored: %j', (extensions, note) => {
    expect(readExtensions(extensions)).toEqual({ override: {}, notes: [note] });
  });

  test.each([['pets:write'], [['pets:read pets:write']], [['']], [[7]], [null]])(
    'scopes that cannot be read hide the operation, or every caller could call it: %j',
    (scopes) => {
      const described = (where: string): string =>
        `"${where}" must be an array of scopes; the operation is hidden.`;
      expect(readExtensions({ 'x-mcp-scopes': scopes })).toEqual({
        override: { hidden: true },
        notes: [described('x-mcp-scopes')],
      });
      expect(readExtensions({ 'x-mcp': { scopes, title: 'A' } })).toEqual({
        override: { hidden: true, title: 'A' },
        notes: [described('x-mcp.scopes')],
      });
    },
  );

  test('an invalid member is ignored alone', () => {
    expect(
      readExtensions({
        'x-mcp-arguments': { id: { name: 1, hidden: true }, other: 'x' },
        'x-mcp-annotations': { readOnlyHint: 'no', idempotentHint: true },
        'x-mcp-response': { select: 5 },
      }),
    ).toEqual({
      override: {
        arguments: { id: { hidden: true } },
        annotations: { idempotentHint: true },
        response: {},
      },
      notes: [
        '"x-mcp-arguments.id.name" must be a non-empty string; it is ignored.',
        '"x-mcp-arguments.other" must be an object; it is ignored.',
        '"x-mcp-annotations.readOnlyHint" must be true or false; it is ignored.',
        '"x-mcp-response.select" must be a string or an array of strings; it is ignored.',
      ],
    });
  });

  test('an unknown member is ignored, with a suggestion', () => {
    const { override, notes } = readExtensions({
      'x-mcp-nam': 'a',
      'x-mcp': { titlle: 'A' },
      'x-mcp-response': { selekt: 'a' },
    });
    expect(override).toEqual({ response: {} });
    expect(notes).toHaveLength(3);
    expect(notes[0]).toMatch(
      /^Unknown option "x-mcp\.titlle"; it is ignored\. Did you mean "title"\? Options: name, /,
    );
    expect(notes[1]).toMatch(
      /^Unknown option "x-mcp-nam"; it is ignored\. Did you mean "x-mcp-name"\? Options: x-mcp-/,
    );
    expect(notes[2]).toBe(
      'Unknown option "x-mcp-response.selekt"; it is ignored. Did you mean "select"? Options: select, maxChars.',
    );
  });

  test('keys of a document do no harm', () => {
    const hostile = JSON.parse(
      '{"x-mcp":{"__proto__":{"hidden":true},"constructor":1},"x-mcp-arguments":{"__proto__":{"hidden":true}}}',
    ) as Record<string, unknown>;
    const { override, notes } = readExtensions(hostile);
    expect(override.hidden).toBeUndefined();
    expect(Object.keys(override.arguments ?? {})).toEqual(['__proto__']);
    expect(notes).toHaveLength(2);
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}\u202e`, 1]));
    expect(readExtensions({ 'x-mcp': many }).notes).toHaveLength(20);
    expect(readExtensions({ 'x-mcp': { 'a\u202eb': 1 } }).notes[0]).toMatch(/^Unknown option "x-mcp\.ab"/);
  });

  test('those of a whole document are for all operations', () => {
    expect(readRootExtensions({ 'x-mcp': { enabled: false, name: 'x' }, 'x-mcp-scopes': ['a'] })).toEqual({
      override: { hidden: true, scopes: ['a'] },
      notes: ['"x-mcp-name" of the whole document is ignored: it is for one operation.'],
    });
  });

  test('an override can be read from any file', () => {
    expect(readOverride({ kind: 'none', hidden: 1 }, 'overrides.getPet')).toEqual({
      override: { kind: 'none' },
      notes: ['"overrides.getPet.hidden" must be true or false; it is ignored.'],
    });
    expect(readOverride(null, 'overrides.getPet')).toEqual({
      override: {},
      notes: ['"overrides.getPet" must be an object; it is ignored.'],
    });
  });
});
