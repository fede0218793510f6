import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findReferences } from '../../../../src/openapi/document/find-references.ts';
import { loadDocument } from '../../../../src/openapi/document/load-document.ts';
import type { LoadedDocument, LoadOptions } from '../../../../src/openapi/document/load-document.ts';
import { OutboundClient } from '../../../../src/outbound/outbound-client.ts';

let top = '';
let folder = '';
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-openapi-')));
  folder = join(top, 'api');
  mkdirSync(folder);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function write(name: string, content: string | object): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const refTo = (...refs: readonly string[]): object => ({
  openapi: '3.1.0',
  components: { schemas: Object.fromEntries(refs.map(($ref, at) => [`S${at}`, { $ref }])) },
});

async function loadRefs(refs: readonly string[], options: LoadOptions = {}): Promise<LoadedDocument> {
  return loadDocument(write('openapi.json', refTo(...refs)), options);
}

const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;

describe('files that a document refers to', () => {
  test('are read, each once, in the order of the references, and those that they refer to', async () => {
    write('paths/pets.yaml', 'get: {responses: {200: {$ref: "../shared.yaml#/Ok"}}}\n');
    write('shared.yaml', 'Ok: {description: fine}\nError: {$ref: "openapi.json#/x"}\n');
    write('models/my pet.json', { type: 'object', properties: { tag: { $ref: 'tag.json' } } });
    write('models/tag.json', { type: 'string' });
    write('openapi.json', {
      openapi: '3.0.0',
      paths: { '/pets': { $ref: './paths/pets.yaml' }, '/more': { $ref: 'paths/pets.yaml' } },
      components: {
        schemas: { Pet: { $ref: 'models/my pet.json#/properties' }, Tag: { $ref: 'models\\tag.json' } },
      },
    });
    const { files, missing, notes } = await loadDocument('openapi.json', { cwd: folder });
    expect(Object.fromEntries(files)).toEqual({
      [uriOf('openapi.json')]: expect.objectContaining({ openapi: '3.0.0' }),
      [uriOf('paths/pets.yaml')]: { get: { responses: { 200: { $ref: '../shared.yaml#/Ok' } } } },
      [uriOf('models/my pet.json')]: { type: 'object', properties: { tag: { $ref: 'tag.json' } } },
      [uriOf('models/tag.json')]: { type: 'string' },
      [uriOf('shared.yaml')]: { Ok: { description: 'fine' }, Error: { $ref: 'openapi.json#/x' } },
    });
    expect([...files.keys()].map((uri) => uri.slice(uriOf('').length + 1))).toEqual([
      'openapi.json',
      'paths/pets.yaml',
      'models/my%20pet.json',
      'models/tag.json',
      'shared.yaml',
    ]);
    expect([missing.size, notes]).toEqual([0, []]);
  });

  test('that are not there or cannot be read are missing, and nothing else is', async () => {
    write('bad.yaml', 'a: b: c\n');
    write('twice.yaml', 'a: 1\na: 2\n');
    write('self.yaml', 'a: &a {b: *a}\n');
    mkdirSync(join(folder, 'sub'));
    const { files, missing, notes } = await loadRefs([
      'none.yaml',
      'bad.yaml',
      'sub',
      'self.yaml',
      'twice.yaml',
    ]);
    expect(Object.fromEntries(missing)).toEqual({
      [uriOf('none.yaml')]: `File not found: ${join(folder, 'none.yaml')}.`,
      [uriOf('bad.yaml')]:
        `${join(folder, 'bad.yaml')}, line 1, column 5: bad indentation of a mapping entry, at "a: b: c".`,
      [uriOf('sub')]: `${join(folder, 'sub')} is not a readable file.`,
      [uriOf('self.yaml')]:
        `${join(folder, 'self.yaml')} contains itself: a YAML alias refers to a node that contains it.`,
    });
    expect([...files.keys()]).toEqual([uriOf('openapi.json'), uriOf('twice.yaml')]);
    expect(notes).toEqual([
      `${join(folder, 'twice.yaml')}, line 2, column 1: duplicate key; the last one is used, here and elsewhere.`,
    ]);
  });

  test('that are not URIs are left to the code that resolves them', async () => {
    const { files, missing } = await loadRefs(['http://[', '']);
    expect([files.size, missing.size]).toEqual([1, 0]);
  });
});

describe('files outside of the folder of the document', () => {
  const refused = (name: string): string =>
    `${join(top, name)} was not read: it is not in ${folder}. Add its folder to references.roots to allow it.`;

  test('are not read, whichever way leads out', async () => {
    writeFileSync(join(top, 'secret.json'), '{"secret":true}');
    mkdirSync(join(top, 'api-other'));
    writeFileSync(join(top, 'api-other', 'x.json'), '{}');
    const absolute = pathToFileURL(join(top, 'secret.json')).href;
    const { files, missing } = await loadRefs([
      '../secret.json#/secret',
      'a/../../secret.json?again',
      absolute,
      '../api-other/x.json',
      '%2e%2e/secret.json',
      '/etc/passwd',
      'file://elsewhere/share/x.json',
      'a%2F..%2F..%2Fsecret.json',
    ]);
    expect([...files.keys()]).toEqual([uriOf('openapi.json')]);
    const reasons = new Set(missing.values());
    expect(reasons).toContain(refused('secret.json'));
    expect(reasons).toContain(refused('api-other/x.json'));
    expect([...reasons].every((reason) => /was not read: it is not in /.test(reason))).toBe(true);
    expect(missing.get('file:///etc/passwd')).toBe(
      `/etc/passwd was not read: it is not in ${folder}. Add its folder to references.roots to allow it.`,
    );
  });

  test('are not read through links, but links that stay inside are followed', async () => {
    writeFileSync(join(top, 'secret.json'), '{"secret":true}');
    mkdirSync(join(top, 'other'));
    writeFileSync(join(top, 'other', 'x.json'), '{}');
    write('real.json', { type: 'string' });
    symlinkSync(join(top, 'secret.json'), join(folder, 'link.json'));
    symlinkSync(join(top, 'other'), join(folder, 'other'));
    symlinkSync(join(folder, 'real.json'), join(folder, 'inside.json'));
    const { files, missing } = await loadRefs(['link.json', 'other/x.json', 'inside.json']);
    expect([...files.keys()]).toEqual([uriOf('openapi.json'), uriOf('inside.json')]);
    expect([...missing.values()]).toEqual([refused('api/link.json'), refused('api/other/x.json')]);
  });

  test('are read where another root is given, which takes the place of the folder', async () => {
    writeFileSync(join(top, 'shared.json'), '{}');
    write('near.json', {});
    const refs = ['../shared.json', 'near.json'];
    expect((await loadRefs(refs, { references: { roots: ['..'] }, cwd: folder })).missing.size).toBe(0);
    expect((await loadRefs(refs, { references: { roots: [pathToFileURL(top).href] } })).missing.size).toBe(0);
    expect((await loadRefs(refs, { references: { roots: [] } })).files.size).toBe(1);
    expect([...(await loadRefs(refs, { references: { roots: [] } })).missing.values()][1]).toBe(
      `${join(folder, 'near.json')} was not read: no files may be read for references. Add its folder to references.roots to allow it.`,
    );
  });

  test('are inside if the folder itself is reached by a link', async () => {
    write('near.json', {});
    write('openapi.json', refTo('near.json'));
    symlinkSync(folder, join(top, 'linked'));
    const { files, missing } = await loadDocument(join(top, 'linked', 'openapi.json'));
    expect([files.size, missing.size]).toEqual([2, 0]);
  });
});

describe('a document without an address', () => {
  test('refers to nothing that is relative', async () => {
    const { files, missing } = await loadDocument(refTo('pet.json', '#/components/schemas/S0') as never);
    expect(files.size).toBe(1);
    expect([...missing.values()]).toEqual([
      '"pet.json" was not read: a relative reference needs the URI of the document. Pass its uri, or load it from a file.',
    ]);
  });

  test('refers to files in the roots that are given, by absolute addresses or from the uri that is given', async () => {
    write('near.json', {});
    const references = { roots: [folder] };
    const absolute = JSON.stringify(refTo(uriOf('near.json')));
    expect((await loadDocument(absolute, { references })).files.size).toBe(2);
    const relative = { text: JSON.stringify(refTo('near.json')), uri: 'stdin.json' };
    expect((await loadDocument(relative, { references, cwd: folder })).files.size).toBe(2);
    expect((await loadDocument(relative, { cwd: folder })).missing.size).toBe(1);
  });
});

describe('there is an end to it', () => {
  test('of files', async () => {
    for (const name of ['a', 'b', 'c']) write(`${name}.json`, {});
    const { files, missing } = await loadRefs(['a.json', 'b.json', 'c.json'], {
      limits: { maxDocumentFiles: 3 },
    });
    expect(files.size).toBe(3);
    expect([...missing.values()]).toEqual([
      `${join(folder, 'c.json')} was not read: a document has at most 3 files (maxDocumentFiles).`,
    ]);
  });

  test('of bytes', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) write(`${name}.json`, { x: 'x'.repeat(1000) });
    const { files, missing } = await loadRefs(['a.json', 'b.json', 'c.json', 'd.json', 'e.json'], {
      limits: { maxTotalBytes: 3000, maxDocumentBytes: 2000 },
    });
    expect([...files.keys()]).toEqual([uriOf('openapi.json'), uriOf('a.json'), uriOf('b.json')]);
    expect([...missing.keys()]).toEqual([uriOf('c.json'), uriOf('d.json'), uriOf('e.json')]);
    expect(missing.get(uriOf('c.json'))).toBe(
      `${join(folder, 'c.json')} was not read: with it, the files of the document would exceed the limits (maxTotalBytes, maxDocumentNodes).`,
    );
  });

  test('of values, those that aliases repeat included', async () => {
    const bomb = Array.from({ length: 6 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(10)}]`);
    write('bomb.yaml', ['a0: &a0 [x]', ...bomb].join('\n'));
    write(
      'list.json',
      Array.from({ length: 50 }, () => 1),
    );
    const limits = { maxDocumentNodes: 100 };
    const { files, missing } = await loadRefs(['bomb.yaml', 'list.json', 'list.json?2'], { limits });
    expect([...files.keys()]).toEqual([uriOf('openapi.json'), uriOf('list.json')]);
    expect([...missing.keys()]).toEqual([uriOf('bomb.yaml'), uriOf('list.json?2').replace('%3F', '?')]);
  });

  test('of files that refer to each other', async () => {
    write('a.json', { $ref: 'b.json' });
    write('b.json', { $ref: 'a.json', not: { $ref: 'openapi.json' } });
    expect((await loadRefs(['a.json'])).files.size).toBe(3);
  });
});

describe('detection of references', () => {
  test('is a $ref that is a text, wherever something may refer', () => {
    const document = {
      openapi: '3.1.0',
      paths: {
        '/a': { $ref: 'path.yaml' },
        '/b': {
          get: {
            parameters: [{ $ref: 'parameter.yaml' }],
            requestBody: { content: { 'application/json': { schema: { $ref: 'body.yaml' } } } },
            responses: {
              default: { $ref: 'default-response.yaml' },
              200: { $ref: '#/components/responses/x' },
            },
            callbacks: { on: { '{$request.body#/url}': { post: { $ref: 'callback.yaml' } } } },
          },
        },
      },
      components: {
        schemas: {
          default: { $ref: 'schema-called-default.yaml' },
          'x-thing': { $ref: 'schema-called-x.yaml' },
          A: {
            properties: { example: { $ref: 'property-called-example.yaml' }, $ref: { type: 'string' } },
            allOf: [{ $ref: 'part.yaml' }],
            discriminator: {
              propertyName: 'kind',
              mapping: { a: 'Plain', b: 'com.example.Name', c: 'file.json', d: './other#/X', e: '#/x' },
            },
          },
        },
        headers: { 'x-rate': { $ref: 'header.yaml' } },
      },
    };
    expect(findReferences(document).references).toEqual([
      'path.yaml',
      'parameter.yaml',
      'body.yaml',
      'default-response.yaml',
      'callback.yaml',
      'schema-called-default.yaml',
      'schema-called-x.yaml',
      'property-called-example.yaml',
      'part.yaml',
      'file.json',
      './other#/X',
      'header.yaml',
    ]);
  });

  test('is not in data or in an extension', () => {
    const data = { $ref: 'data.yaml', $id: 'id' };
    const document = {
      'x-any': data,
      paths: { 'x-any': data, '/a': { 'x-any': data, get: { responses: { 'x-any': data } } } },
      components: {
        'x-any': data,
        examples: { A: data },
        schemas: {
          A: { example: data, examples: [data], default: data, enum: [data], const: data },
          B: { properties: { p: { default: [data] } }, discriminator: { mapping: { $ref: 7 } } },
        },
        mediaTypes: { m: { examples: { e: data }, example: data } },
      },
      $ref: { no: 'text' },
    };
    expect(findReferences(document)).toEqual({ references: [], names: [] });
  });

  test('is found in what is shared, in every role that it has', () => {
    const shared = { default: { $ref: 'x.yaml' } };
    expect(findReferences({ a: shared, properties: shared }).references).toEqual(['x.yaml']);
    expect(findReferences([[{ $ref: 'y.yaml' }], null, 7]).references).toEqual(['y.yaml']);
  });
});

test('identifiers and data of a local document are not requested', async () => {
  let hits = 0;
  const canary = createServer((_request, response) => {
    hits += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
  const client = new OutboundClient({ allowPrivate: true });
  try {
    write('openapi.json', {
      openapi: '3.1.0',
      $self: `${origin}/self`,
      $schema: `${origin}/schema`,
      jsonSchemaDialect: `${origin}/dialect`,
      externalDocs: { url: `${origin}/docs` },
      servers: [{ url: origin }],
      components: {
        schemas: {
          A: { $id: `${origin}/a.json`, $schema: `${origin}/dialect`, $dynamicRef: `${origin}/x#y` },
          B: { $ref: `${origin}/a.json`, example: { $ref: `${origin}/example` } },
          C: { $ref: `${origin}/refused.json` },
        },
        examples: { e: { externalValue: `${origin}/value`, value: { $ref: `${origin}/value` } } },
      },
    });
    const { missing } = await loadDocument('openapi.json', { cwd: folder, client });
    expect([...missing.keys()]).toEqual([`${origin}/refused.json`]);
    expect(hits).toBe(0);
  } finally {
    client.close();
    canary.close();
    canary.closeAllConnections();
  }
});
