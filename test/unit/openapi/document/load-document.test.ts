import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DefinitionError } from '../../../../src/errors/errors.ts';
import { loadDocument } from '../../../../src/openapi/document/load-document.ts';
import type { DocumentSource, LoadOptions } from '../../../../src/openapi/document/load-document.ts';

const PETS = { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {} };
const TEXT = 'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths: {}\n';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-openapi-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | Uint8Array | object): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  const isRaw = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(file, isRaw ? content : JSON.stringify(content));
  return file;
}

async function mistakeOf(source: DocumentSource, options: LoadOptions = {}): Promise<string> {
  try {
    await loadDocument(source, { cwd: folder, ...options });
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    return (error as Error).message;
  }
  throw new Error('nothing went wrong');
}

describe('a document', () => {
  test('is read from a path, from the working folder on', async () => {
    const file = write('api/pets.yaml', TEXT);
    const loaded = await loadDocument('api/pets.yaml', { cwd: folder });
    const uri = pathToFileURL(file).href;
    expect(loaded).toEqual({
      version: '3.1',
      uri,
      root: PETS,
      files: new Map([[uri, PETS]]),
      missing: new Map(),
      findings: [],
      notes: [],
    });
    expect(loaded.files.get(uri)).toBe(loaded.root);
  });

  test('is read from a file: URL, as a text or an object', async () => {
    const url = pathToFileURL(write('my pets.json', PETS));
    for (const source of [url, url.href]) {
      const { uri, root } = await loadDocument(source);
      expect([uri, root]).toEqual([url.href, PETS]);
    }
  });

  test('is read from a text', async () => {
    for (const source of [TEXT, JSON.stringify(PETS), ` ${JSON.stringify(PETS)}`, { text: TEXT }]) {
      const { uri, root } = await loadDocument(source);
      expect([uri, root]).toEqual(['inline:/document', PETS]);
    }
  });

  test('that is a text can say where it is from', async () => {
    const uris = [
      'https://user:secret@api.example.com/pets.yaml?v=1#top',
      'file:///srv/pets.yaml',
      'sub/pets.yaml',
    ];
    const loaded = await Promise.all(uris.map((uri) => loadDocument({ text: TEXT, uri }, { cwd: folder })));
    expect(loaded.map(({ uri }) => uri)).toEqual([
      'https://api.example.com/pets.yaml?v=1',
      'file:///srv/pets.yaml',
      pathToFileURL(join(folder, 'sub/pets.yaml')).href,
    ]);
  });

  test('can be the document itself, which is never changed and never seen again', async () => {
    const shared = { type: 'string' };
    const given = Object.freeze({
      ...PETS,
      text: 'not the text',
      'x-date': new Date(Date.UTC(2022, 10, 15)),
      'x-nothing': undefined,
      components: { schemas: { A: shared, B: shared } },
    });
    const { root } = await loadDocument(given);
    expect(root).toEqual({
      ...PETS,
      text: 'not the text',
      'x-date': '2022-11-15T00:00:00.000Z',
      components: { schemas: { A: { type: 'string' }, B: { type: 'string' } } },
    });
    shared.type = 'changed';
    expect(root['components']).toEqual({ schemas: { A: { type: 'string' }, B: { type: 'string' } } });
  });

  test('can be written in UTF-16, and can come through a link', async () => {
    write('wide.json', Buffer.from(`\uFEFF${JSON.stringify(PETS)}`, 'utf16le'));
    symlinkSync(join(folder, 'wide.json'), join(folder, 'link.json'));
    const { root } = await loadDocument('link.json', { cwd: folder });
    expect(root).toEqual(PETS);
  });

  test.skipIf(process.platform === 'win32')('can come through a pipe', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const loading = loadDocument(pipe);
    writeFileSync(pipe, TEXT);
    expect((await loading).root).toEqual(PETS);
  });
});

describe('a document that cannot be read is refused with a reason', () => {
  test('for there is no such file, or it is a folder, or empty', async () => {
    write('empty.yaml', '');
    expect(await mistakeOf('none.yaml')).toBe(`File not found: ${join(folder, 'none.yaml')}.`);
    expect(await mistakeOf(join(folder, 'empty.yaml', 'x'))).toBe(
      `File not found: ${join(folder, 'empty.yaml/x')}.`,
    );
    expect(await mistakeOf('.')).toBe(
      `${folder} is a folder, not a file. Give the path of a document in it.`,
    );
    expect(await mistakeOf('empty.yaml')).toBe(`${join(folder, 'empty.yaml')} is empty.`);
    expect(await mistakeOf('')).toBe('The path of the document is empty.');
  });

  test('for its file has a mistake, which is named with its place', async () => {
    const file = write('bad.yaml', 'openapi: 3.0.0\ninfo:\n  title: a: b\n');
    expect(await mistakeOf('bad.yaml')).toBe(
      `${file}, line 3, column 11: bad indentation of a mapping entry, at "title: a: b".`,
    );
  });

  test('for it has too many bytes, whatever it comes from', async () => {
    const file = write('api.yaml', TEXT);
    const limits = { maxDocumentBytes: 20 };
    const rest = 'has more than 20 bytes (maxDocumentBytes, maxTotalBytes).';
    expect(await mistakeOf('api.yaml', { limits })).toBe(`${file} ${rest}`);
    expect(await mistakeOf(TEXT, { limits })).toBe(`The document ${rest}`);
  });

  test('for it has no end', async () => {
    expect(await mistakeOf('/dev/zero', { limits: { maxDocumentBytes: 100_000 } })).toMatch(
      /^\/dev\/zero has more than 100000 bytes/,
    );
  });

  test.each([
    ['ftp://user:secret@example.com/api.yaml', /received ftp:$/],
    ['data:application/json,%7B%7D', /received data:$/],
    ['file://elsewhere/api.yaml', /received file:$/],
    [42 as never, /^The document must be a path, a URL, a text, or an object\.$/],
    [[PETS] as never, /^The document must be a path/],
  ])('for it is at no place that is read from: %s', async (source, message) => {
    const said = await mistakeOf(source);
    expect(said).toMatch(message);
    expect(said).not.toContain('secret');
  });

  test('for the object that it is is no data', async () => {
    const own: Record<string, unknown> = { ...PETS };
    own['self'] = own;
    expect(await mistakeOf(own)).toBe(
      'The document contains itself: a YAML alias refers to a node that contains it.',
    );
    expect(await mistakeOf({ ...PETS, call: () => 1 })).toBe(
      'The document contains a function, which JSON cannot represent.',
    );
    expect(await mistakeOf({ ...PETS, made: { toJSON: () => ({ a: own }) } })).toBe(
      'The document contains an object that is not plain data.',
    );
    const thrower = Object.defineProperty({ ...PETS }, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('secret');
      },
    });
    expect(await mistakeOf(thrower)).toBe('The document has members that cannot be read.');
  });

  test('is stopped when its caller has cancelled', async () => {
    write('api.yaml', TEXT);
    expect(await mistakeOf('api.yaml', { signal: AbortSignal.abort() })).toBe(
      `Loading ${join(folder, 'api.yaml')} was cancelled.`,
    );
  });

  test('for an option is not known', async () => {
    expect(await mistakeOf(PETS, { limit: {} } as never)).toMatch(
      /Unknown option "limit" of fromOpenAPI. Did you mean "limits"/,
    );
    expect(await mistakeOf(PETS, { references: { root: [] } } as never)).toMatch(/Did you mean "roots"/);
    expect(await mistakeOf(PETS, { references: { roots: ['none'] } })).toBe(
      `fromOpenAPI: references.roots must be folders that exist; received ${JSON.stringify(join(folder, 'none'))}.`,
    );
    expect(await mistakeOf(PETS, { references: { origins: ['https://u:secret@a.example/x?y'] } })).toBe(
      'fromOpenAPI: references.origins must be origins such as "https://api.example.com", without a path; received "https://a.example/x".',
    );
  });
});

describe('the version', () => {
  test.each([
    ['swagger: "2.0"', '2.0'],
    ['swagger: 2.0', '2.0'],
    ['openapi: 3.0.3', '3.0'],
    ['openapi: 3.0', '3.0'],
    ['openapi: "3.0.0-rc2"', '3.0'],
    ['openapi: 3.1', '3.1'],
    ['openapi: 3.1.1', '3.1'],
    ['openapi: 3.2.0', '3.2'],
  ])('%s is %s', async (line, version) => {
    const loaded = await loadDocument(`${line}\npaths: {}\n`);
    expect([loaded.version, loaded.notes]).toEqual([version, []]);
  });

  test('3.3 is parsed as 3.2, with a note', async () => {
    const { version, notes } = await loadDocument('openapi: 3.3.0\npaths: {}\n');
    expect([version, notes]).toEqual([
      '3.2',
      ['The document uses OpenAPI 3.3, which is unknown; it was read as 3.2.'],
    ]);
  });

  const READ = 'Supported: Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2.';
  test.each([
    [{ openapi: '4.0.0' }, `The document has "openapi: 4.0.0". ${READ}`],
    [{ openapi: '30.1' }, `The document has "openapi: 30.1". ${READ}`],
    [{ swagger: '1.2' }, `The document has "swagger: 1.2". ${READ}`],
    [{ swagger: '3.0.0' }, `The document has "swagger: 3.0.0". ${READ}`],
    [{ openapi: 'three' }, `The document has "openapi: three". ${READ}`],
    [{ asyncapi: '3.0.0' }, `The document is not an OpenAPI document: it is an AsyncAPI document. ${READ}`],
    [
      {
        info: {
          _postman_id: 'x',
          schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
        },
      },
      `The document is not an OpenAPI document: it is a Postman collection. Export it as OpenAPI. ${READ}`,
    ],
    [
      { overlay: '1.0.0', actions: [] },
      `The document is not an OpenAPI document: it is an overlay. Pass it as an overlay of the document that it changes. ${READ}`,
    ],
    [
      { swaggerVersion: '1.2' },
      `The document is not an OpenAPI document: it uses Swagger 1. Convert it to OpenAPI first. ${READ}`,
    ],
    [
      { paths: {} },
      `The document is not an OpenAPI document: it has paths, but no version in "openapi" or "swagger". ${READ}`,
    ],
    [
      { name: 'package', version: '1' },
      `The document is not an OpenAPI document: it has neither "openapi" nor "swagger", but "name", "version". ${READ}`,
    ],
    [{}, `The document is not an OpenAPI document: it is an empty object. ${READ}`],
  ])('of %j is refused', async (document, message) => {
    expect(await mistakeOf(document)).toBe(message);
  });

  test('of something else than an object is refused', async () => {
    expect(await mistakeOf({ text: '[1]' })).toBe(
      'The document is an array, not an OpenAPI document: expected an object.',
    );
    expect(await mistakeOf({ text: 'words' })).toBe(
      'The document is a string, not an OpenAPI document: expected an object.',
    );
  });

  test('is not taken from what every object has', async () => {
    expect(await mistakeOf({ text: '{"__proto__": {"openapi": "3.0.0"}}' })).toMatch(
      /is not an OpenAPI document/,
    );
  });
});
