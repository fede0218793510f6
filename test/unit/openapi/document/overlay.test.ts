import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DefinitionError } from '../../../../src/errors/errors.ts';
import { loadDocument } from '../../../../src/openapi/document/load-document.ts';
import type { LoadedDocument, LoadOptions } from '../../../../src/openapi/document/load-document.ts';

const INFO = { title: 'An overlay', version: '1' };

/** Loads a document with one overlay of these actions. */
function overlay(root: object, actions: unknown, options: LoadOptions = {}): Promise<LoadedDocument> {
  const document = { openapi: '3.1.0', ...root };
  return loadDocument(document, { overlays: [{ overlay: '1.1.0', info: INFO, actions }], ...options });
}

async function changed(root: object, ...actions: readonly object[]): Promise<unknown> {
  const { root: after, notes } = await overlay(root, actions);
  expect(notes).toEqual([]);
  const { openapi, ...rest } = after;
  expect(openapi).toBe('3.1.0');
  return rest;
}

async function mistakeOf(loading: Promise<unknown>): Promise<string> {
  try {
    await loading;
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    return (error as Error).message;
  }
  throw new Error('nothing went wrong');
}

describe('an update', () => {
  test('merges objects, replaces plain values, and makes lists longer, at every depth', async () => {
    const root = { info: { title: 'A', tags: ['a'], contact: { name: 'N', url: 'U' } }, paths: {} };
    const update = {
      title: 'B',
      tags: ['b', 'c'],
      contact: { name: 'M', email: 'E' },
      license: { name: 'L' },
    };
    expect(await changed(root, { target: '$.info', update })).toEqual({
      info: {
        title: 'B',
        tags: ['a', 'b', 'c'],
        contact: { name: 'M', url: 'U', email: 'E' },
        license: { name: 'L' },
      },
      paths: {},
    });
  });

  test('of the root can add anything', async () => {
    expect(
      await changed({ paths: {} }, { target: '$', update: { servers: [{ url: 'https://a.example' }] } }),
    ).toEqual({
      paths: {},
      servers: [{ url: 'https://a.example' }],
    });
  });

  test('of a list adds an entry, or the entries of a list', async () => {
    const root = { tags: [{ name: 'a' }] };
    expect(await changed(root, { target: '$.tags', update: { name: 'b' } })).toEqual({
      tags: [{ name: 'a' }, { name: 'b' }],
    });
    expect(await changed(root, { target: '$.tags', update: [{ name: 'b' }, { name: 'c' }] })).toEqual({
      tags: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    });
  });

  test('of a plain value replaces it, in objects and in lists', async () => {
    expect(
      await changed(
        { info: { title: 'A', version: null }, list: [1, 2, 2] },
        { target: '$.info.title', update: 'B' },
        { target: '$.info.version', update: '2' },
        { target: '$.list[?@ == 2]', update: 3 },
      ),
    ).toEqual({ info: { title: 'B', version: '2' }, list: [1, 3, 3] });
  });

  test('reaches every place that its target leads to, each once', async () => {
    const root = { paths: { '/a': { get: {}, post: {} }, '/b': { get: { tags: ['b'] } }, '/c': {} } };
    expect(await changed(root, { target: '$.paths.*.get', update: { tags: ['x'] } })).toEqual({
      paths: { '/a': { get: { tags: ['x'] }, post: {} }, '/b': { get: { tags: ['b', 'x'] } }, '/c': {} },
    });
    expect(await changed({ a: { a: {} } }, { target: "$..['a','a']", update: { b: 1 } })).toEqual({
      a: { a: { b: 1 }, b: 1 },
    });
  });

  test('comes after the one before it', async () => {
    expect(
      await changed(
        { servers: [{ url: 'https://a.example' }] },
        { target: '$.servers', remove: true },
        { target: '$', update: { servers: [{ url: 'https://b.example' }] } },
        { target: '$.servers[0]', update: { description: 'B' } },
      ),
    ).toEqual({ servers: [{ url: 'https://b.example', description: 'B' }] });
  });

  test('changes only the places that are meant, not others that share their value', async () => {
    const text = 'openapi: 3.1.0\na: &a {list: [1], deep: {x: 1}}\nb: *a\n';
    const update = { list: [2], deep: { x: 2 } };
    const actions = [
      { target: '$.a', update },
      { target: '$.c', update },
      { target: '$', update: { c: update, d: update } },
      { target: '$.c.deep', update: { x: 3 } },
    ];
    const { root, notes } = await loadDocument(text, {
      overlays: [{ overlay: '1.0.0', info: INFO, actions }],
    });
    expect(root).toEqual({
      openapi: '3.1.0',
      a: { list: [1, 2], deep: { x: 2 } },
      b: { list: [1], deep: { x: 1 } },
      c: { list: [2], deep: { x: 3 } },
      d: { list: [2], deep: { x: 2 } },
    });
    expect(update).toEqual({ list: [2], deep: { x: 2 } });
    expect(notes).toEqual(['The overlay, action 2 ("$.c") matches nothing.']);
  });

  test('leaves what it names and says nothing about', async () => {
    const { root, notes } = await overlay({ components: { a: 1 }, tags: null }, [
      { target: '$', update: { components: null, tags: ['x'], paths: null } },
    ]);
    expect(root).toEqual({ openapi: '3.1.0', components: { a: 1 }, tags: ['x'], paths: null });
    expect(notes).toEqual([
      'The overlay, action 1 ("$"): "components" is null in the overlay; the value of the document was kept.',
    ]);
  });

  test('can have members with the names of what every object has', async () => {
    const update = JSON.parse('{"__proto__": {"a": 1}, "constructor": {"b": 2}}') as object;
    const { root } = await overlay({ paths: {} }, [{ target: '$.paths', update }]);
    const paths = root['paths'] as object;
    expect(Object.keys(paths)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(paths)).toBe(Object.prototype);
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });

  test('of one thing with another is refused', async () => {
    const root = { info: { title: 'A', tags: [] }, tags: [] };
    expect(await mistakeOf(overlay(root, [{ target: '$.info', update: 'text' }]))).toBe(
      'The overlay, action 1 ("$.info") is an object, but the update is a plain value.',
    );
    expect(await mistakeOf(overlay(root, [{ target: '$.info', update: { tags: { a: 1 } } }]))).toBe(
      'The overlay, action 1 ("$.info"): "tags" is an array, but the update is an object.',
    );
    expect(await mistakeOf(overlay(root, [{ target: '$.info.title', update: {} }]))).toBe(
      'The overlay, action 1 ("$.info.title") is a plain value, but the update is an object.',
    );
    expect(await mistakeOf(overlay(root, [{ target: '$.*', update: {} }]))).toBe(
      'The overlay, action 1 ("$.*") matches values of different types (a plain value and an object and an array); an update needs one type.',
    );
  });
});

describe('a removal', () => {
  test('takes members and entries away, also several of one list', async () => {
    const root = {
      paths: { '/a': { get: { responses: { 200: {}, 500: {} } } }, '/b': { 'x-internal': true } },
      list: ['a', 'b', 'c', 'd', 'b'],
    };
    expect(
      await changed(
        root,
        { target: "$.paths..responses['500']", remove: true },
        { target: '$.paths[?@.x-internal]', remove: true },
        { target: "$.list[2, 0, ?@ == 'b']", remove: true, update: ['no'] },
      ),
    ).toEqual({ paths: { '/a': { get: { responses: { 200: {} } } } }, list: ['d'] });
  });

  test('takes what is within each other away, whichever way it was found', async () => {
    const root = { a: [{ x: [{ x: 1 }, { y: 1 }] }, { y: 2 }, { x: 3 }] };
    expect(await changed(root, { target: '$..x', remove: true })).toEqual({ a: [{}, { y: 2 }, {}] });
    expect(await changed(root, { target: '$..[?@.x]', remove: true })).toEqual({ a: [{ y: 2 }] });
  });

  test('of the whole document is refused', async () => {
    expect(await mistakeOf(overlay({}, [{ target: '$', remove: true }]))).toBe(
      'The overlay, action 1 ("$") would remove the whole document. Use a target below the root, such as $.paths.',
    );
    expect(await mistakeOf(overlay({}, [{ target: '$.openapi', remove: true }]))).toMatch(
      /is not an OpenAPI document/,
    );
  });
});

describe('a copy', () => {
  test('merges what is there already into another place', async () => {
    const root = { paths: { '/items': { get: { tags: ['a'] } }, '/some-items': { delete: {} } } };
    expect(
      await changed(
        root,
        { target: "$.paths['/some-items']", copy: "$.paths['/items']" },
        { target: '$.paths', update: { '/new': {} } },
        { target: '$.paths["/new"]', copy: '$.paths["/items"]' },
        { target: '$.paths["/items"]', remove: true },
        { target: '$.paths["/new"].get', update: { tags: ['b'] } },
      ),
    ).toEqual({
      paths: {
        '/some-items': { delete: {}, get: { tags: ['a'] } },
        '/new': { get: { tags: ['a', 'b'] } },
      },
    });
  });

  test('of something into itself ends', async () => {
    expect(
      await changed(
        { a: { b: { c: 1 } } },
        { target: '$.a.b', copy: '$.a' },
        { target: '$.a.b', copy: '$.a' },
      ),
    ).toEqual({ a: { b: { c: 1, b: { c: 1, b: { c: 1 } } } } });
  });

  test('of everything into everything, again and again, is refused in time', async () => {
    const actions = Array.from({ length: 60 }, (_, at) => [
      { target: '$.x', update: { [`k${at}`]: {} } },
      { target: `$.x.k${at}`, copy: '$.x' },
    ]).flat();
    expect(await mistakeOf(overlay({ x: { a: 1 } }, actions))).toMatch(
      /^The document after The overlay, action \d+ \("\$\.x\.k\d+"\) has more than 3000000 values/,
    );
    const deeper = Array.from({ length: 120 }, () => ({ target: '$.x.y', copy: '$.x' }));
    expect(await mistakeOf(overlay({ x: { y: {} } }, deeper, { limits: { maxDocumentDepth: 100 } }))).toMatch(
      /is nested more than 100 levels deep/,
    );
  });

  test('of nothing is noted, of several is refused', async () => {
    const { notes } = await overlay({ a: {} }, [{ target: '$.a', copy: '$.b' }]);
    expect(notes).toEqual(['The overlay, action 1 ("$.a"): "copy" matches nothing.']);
    expect(await mistakeOf(overlay({ a: {}, b: [1, 2] }, [{ target: '$.a', copy: '$.b.*' }]))).toBe(
      'The overlay, action 1 ("$.a"): "copy" matches 2 values; expected one.',
    );
  });
});

describe('an overlay', () => {
  test('says which of its actions did nothing, and what of it was ignored', async () => {
    const actions = [{ target: '$.nowhere', remove: true }, { target: '$' }];
    const { notes } = await loadDocument('{"openapi":"3.0.0"}', {
      overlays: [{ overlay: '1.2.0', info: INFO, extends: 'https://api.example.com/api.yaml', actions }],
    });
    expect(notes).toEqual([
      'The overlay is an overlay of version 1.2.0; it was applied as 1.1.',
      'The overlay has "extends", which was ignored: it is applied to the document that it was passed with.',
      'The overlay, action 1 ("$.nowhere") matches nothing.',
      'The overlay, action 2 ("$") has no effect: add "update", "copy" or "remove: true".',
    ]);
  });

  test.each([
    [{ openapi: '3.0.0' }, 'The overlay is not an overlay: it has no version in "overlay", such as 1.0.0.'],
    [
      { overlay: '2.0.0', actions: [] },
      'The overlay is an overlay of version 2.0.0; supported: 1.0 and 1.1.',
    ],
    [{ overlay: '1.0.0' }, 'The overlay has no array of "actions".'],
    [{ overlay: 1, actions: [7] }, 'The overlay, action 1 has no "target".'],
    [{ overlay: 1.1, actions: [{ update: {} }] }, 'The overlay, action 1 has no "target".'],
    [
      { overlay: '1.0.0', actions: [{ target: '$.a[?@ =~ /x/]', remove: true }] },
      'The overlay, action 1 ("$.a[?@ =~ /x/]"): expected one of == != <= >= < >, at character 8.',
    ],
    [
      { overlay: '1.1.0', actions: [{ target: '$', copy: 'info' }] },
      'The overlay, action 1 ("$"): expected "$", at character 1.',
    ],
  ])('that cannot be applied is refused: %j', async (given, message) => {
    expect(await mistakeOf(loadDocument({ openapi: '3.1.0' }, { overlays: [given] }))).toBe(message);
  });

  test('comes from a file, a text or an object, several one after the other, before references are followed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-openapi-'));
    try {
      writeFileSync(join(folder, 'api.yaml'), 'openapi: 3.1.0\npaths: {/a: {$ref: away.yaml}}\n');
      writeFileSync(join(folder, 'near.yaml'), 'get: {}\n');
      writeFileSync(
        join(folder, 'one.overlay.yaml'),
        'overlay: 1.0.0\nactions:\n  - {target: "$.paths[\'/a\']", update: {$ref: near.yaml}}\n',
      );
      const { files, missing, notes } = await loadDocument('api.yaml', {
        cwd: folder,
        overlays: [
          'one.overlay.yaml',
          { text: '{"overlay":"1.0.0","actions":[{"target":"$.none","remove":true}]}' },
        ],
      });
      expect([files.size, missing.size]).toEqual([2, 0]);
      expect(notes).toEqual(['Overlay 2, action 1 ("$.none") matches nothing.']);
      expect(await mistakeOf(loadDocument('api.yaml', { cwd: folder, overlays: ['two.yaml'] }))).toBe(
        `File not found: ${join(folder, 'two.yaml')}.`,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('of many actions on a large document takes its time, not more', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [`/p${at}`, { get: { tags: ['a'] } }]),
    );
    const actions = [
      { target: '$.paths.*.get', update: { 'x-safe': true } },
      { target: "$..tags[?@ == 'a']", remove: true },
      ...Array.from({ length: 50 }, (_, at) => ({ target: `$.paths['/p${at}']`, remove: true })),
    ];
    const { root } = await overlay({ paths }, actions);
    const after = root['paths'] as Record<string, unknown>;
    expect(Object.keys(after).length).toBe(19_950);
    expect(after['/p50']).toEqual({ get: { tags: [], 'x-safe': true } });
  });
});
