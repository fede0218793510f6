import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRequest } from '../../../../src/openapi/request/compile-request.ts';
import type { PlannedContent } from '../../../../src/openapi/request/request-plan.ts';
import { bodyPlan, headerOf, properties, useRecorder, whole } from './recorder.ts';

const recorder = useRecorder();
const MULTIPART = 'multipart/form-data';

/** The body with a constant boundary, as text of single bytes. */
async function rawOf(content: PlannedContent, input: Record<string, unknown>): Promise<string> {
  const recorded = await recorder.send(bodyPlan(content), input);
  const [, boundary = ''] = /boundary=([\w-]+)$/.exec(headerOf(recorded, 'content-type') ?? '') ?? [];
  expect(boundary.length).toBeGreaterThan(30);
  expect(boundary.length).toBeLessThanOrEqual(70);
  return recorded.body.toString('latin1').replaceAll(boundary, 'B');
}

/** As parsed by Node's own `fetch`. */
async function formOf(content: PlannedContent, input: Record<string, unknown>): Promise<FormData> {
  const recorded = await recorder.send(bodyPlan(content), input);
  const headers = { 'content-type': headerOf(recorded, 'content-type') ?? '' };
  return new Response(recorded.body, { headers }).formData();
}

test('parts stand in the order of the document, exactly like this', async () => {
  const content = properties(MULTIPART, ['id', 'photo@', 'address', 'tags', 'none']);
  const input = {
    tags: ['a', 'b'],
    address: { city: '\u00E4' },
    photo: { data: 'AAH/', name: 'me.png', mimeType: 'image/png' },
    id: 7,
    none: null,
  };
  expect(await rawOf(content, input)).toBe(
    [
      '--B',
      'Content-Disposition: form-data; name="id"',
      '',
      '7',
      '--B',
      'Content-Disposition: form-data; name="photo"; filename="me.png"',
      'Content-Type: image/png',
      '',
      '\0\u0001\u00FF',
      '--B',
      'Content-Disposition: form-data; name="address"',
      'Content-Type: application/json',
      '',
      '{"city":"\u00C3\u00A4"}',
      '--B',
      'Content-Disposition: form-data; name="tags"',
      '',
      'a',
      '--B',
      'Content-Disposition: form-data; name="tags"',
      '',
      'b',
      '--B--',
      '',
    ].join('\r\n'),
  );
});

describe('files', () => {
  test('arrive with name, type and bytes', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const input = {
      file: { data: bytes.toString('base64'), name: '\u00E4 b.bin', mimeType: 'application/x-b' },
    };
    const file = (await formOf(properties(MULTIPART, ['file@']), input)).get('file') as File;
    expect([file.name, file.type]).toEqual(['\u00E4 b.bin', 'application/x-b']);
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('several of one name are several parts', async () => {
    const input = { files: ['YQ==', { data: 'Yg==', name: 'b.txt' }, null] };
    const files = (await formOf(properties(MULTIPART, ['files@']), input)).getAll('files') as File[];
    expect(await Promise.all(files.map(async (file) => [file.name, file.type, await file.text()]))).toEqual([
      ['files', 'application/octet-stream', 'a'],
      ['b.txt', 'application/octet-stream', 'b'],
    ]);
  });

  test.each([
    ['image/png, image/jpeg', 'image/png'],
    ['image/*, image/gif', 'image/gif'],
    ['image/*', 'application/octet-stream'],
    [undefined, 'application/octet-stream'],
  ])('without a type of their own, they have that of the encoding %s', async (contentType, type) => {
    const content = properties(MULTIPART, ['f@'], { f: { contentType } });
    expect(((await formOf(content, { f: 'YQ==' })).get('f') as File).type).toBe(type);
    const own = { f: { data: 'YQ==', mimeType: 'text/css' } };
    expect(((await formOf(content, own)).get('f') as File).type).toBe('text/css');
  });

  test('values that are not files are rejected', async () => {
    const before = recorder.count();
    for (const f of ['no base64!', 7, {}, ['YQ==', 7]])
      await expect(formOf(properties(MULTIPART, ['f@']), { f })).rejects.toThrow('The argument "f" must be');
    expect(recorder.count()).toBe(before);
  });
});

describe('names', () => {
  test('cannot end their quotes or their line', async () => {
    const content = properties(MULTIPART, ['a"\r\nX-Evil: 1', 'f@']);
    const raw = await rawOf(content, {
      'a"\r\nX-Evil: 1': 1,
      f: { data: '', name: '"; name="x\r\n\r\n--B\0' },
    });
    expect(raw).toContain('name="a%22%0D%0AX-Evil: 1"\r\n');
    expect(raw).toContain('filename="%22; name=%22x%0D%0A%0D%0A--B%00"\r\n');
    expect(raw.split('\r\n').filter((line) => line.startsWith('--B'))).toHaveLength(3);
  });

  test.each(['text/plain\r\nX-Evil: 1', 'none', 'a/b\u00E4', 'image/*', ''])(
    '%j is no type of a file',
    async (mimeType) => {
      await expect(rawOf(properties(MULTIPART, ['f@']), { f: { data: '', mimeType } })).rejects.toThrow(
        'The argument "f" has an invalid mimeType',
      );
    },
  );
});

describe('values', () => {
  test('that are text have no type, unless the encoding names one', async () => {
    const encoding = {
      a: { contentType: 'text/plain' },
      b: { contentType: 'application/json' },
      c: { contentType: 'application/xml; charset=utf-8' },
    };
    const raw = await rawOf(properties(MULTIPART, ['a', 'b', 'c', 'd'], encoding), {
      a: 'x',
      b: 'y',
      c: '<z/>',
      d: true,
    });
    expect(raw).toContain('name="a"\r\nContent-Type: text/plain\r\n\r\nx\r\n');
    expect(raw).toContain('name="b"\r\nContent-Type: application/json\r\n\r\n"y"\r\n');
    expect(raw).toContain('name="c"\r\nContent-Type: application/xml; charset=utf-8\r\n\r\n<z/>\r\n');
    expect(raw).toContain('name="d"\r\n\r\ntrue\r\n');
  });

  test('that are lists of objects are a part of JSON each', async () => {
    const form = await formOf(properties(MULTIPART, ['a']), { a: [{ b: 1 }, [2], 'c'] });
    const parts = form.getAll('a');
    expect(parts).toHaveLength(3);
    expect(parts).toEqual(['{"b":1}', '[2]', 'c']);
  });

  test('with a style are written by it, and nothing is encoded', async () => {
    const style = (name: 'deepObject' | 'form', explode: boolean) => ({
      style: { style: name, explode, allowReserved: false },
      contentType: 'application/json',
    });
    const content = properties(MULTIPART, ['a', 'b', 'c'], {
      a: style('deepObject', true),
      b: style('form', false),
      c: style('form', true),
    });
    const form = await formOf(content, { a: { x: { y: 'z &' } }, b: [1, 2], c: { k: '\u00E4' } });
    expect([...form]).toEqual([
      ['a[x][y]', 'z &'],
      ['b', '1,2'],
      ['k', '\u00E4'],
    ]);
  });

  test('have the further headers of their encoding', async () => {
    const headers = { 'X-Custom': 'yes', 'Content-Type': 'ignored/here', 'content-disposition': 'ignored' };
    const raw = await rawOf(properties(MULTIPART, ['a'], { a: { headers } }), { a: 1 });
    expect(raw).toBe(
      '--B\r\nContent-Disposition: form-data; name="a"\r\nX-Custom: yes\r\n\r\n1\r\n--B--\r\n',
    );
  });

  test('keep their line breaks', async () => {
    expect(await rawOf(properties(MULTIPART, ['a']), { a: 'x\ny\r\nz\r' })).toContain(
      '\r\n\r\nx\ny\r\nz\r\r\n--B--',
    );
  });
});

describe('the media type', () => {
  test.each([
    ['multipart/form-data', /^multipart\/form-data; boundary=[\w-]+$/],
    ['multipart/*', /^multipart\/form-data; boundary=[\w-]+$/],
    ['multipart/mixed', /^multipart\/mixed; boundary=[\w-]+$/],
    ['multipart/form-data; boundary=abc', /^multipart\/form-data; boundary=[\w-]{30,}$/],
    ['multipart/related; type="a/b"; Boundary=abc', /^multipart\/related; type="a\/b"; boundary=[\w-]{30,}$/],
  ])('%s', async (mediaType, sent) => {
    const recorded = await recorder.send(bodyPlan(properties(mediaType, ['a'])), { a: 1 });
    expect(headerOf(recorded, 'content-type')).toMatch(sent);
  });

  test('has another boundary each time', async () => {
    const build = compileRequest(bodyPlan(properties(MULTIPART, ['a'])), 'https://a.b');
    const types = await Promise.all(
      Array.from({ length: 5 }, async () => (await build({ a: 1 })).headers['content-type']),
    );
    expect(new Set(types).size).toBe(5);
  });
});

test('an object that is the whole body has parts for its members', async () => {
  const form = await formOf(whole(MULTIPART), { body: { a: 1, b: ['x', 'y'], c: { d: 2 } } });
  expect(form.get('a')).toBe('1');
  expect(form.getAll('b')).toEqual(['x', 'y']);
  expect(form.get('c')).toBe('{"d":2}');
  await expect(formOf(whole(MULTIPART), { body: 'text' })).rejects.toThrow(
    'The argument "body" must be an object',
  );
});

test('whatever the values are, servers get them back', async () => {
  const build = compileRequest(bodyPlan(properties(MULTIPART, ['text', 'file@'])), 'https://a.b');
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme' }),
      fc.uint8Array({ maxLength: 100 }),
      async (text, bytes) => {
        const file = { data: Buffer.from(bytes).toString('base64url') };
        const { body, headers } = await build({ text, file });
        if (body === undefined) throw new Error('no body');
        const read = await new Response(body, { headers }).formData();
        expect(read.get('text')).toBe(text);
        expect(new Uint8Array(await (read.get('file') as File).arrayBuffer())).toEqual(bytes);
      },
    ),
    { numRuns: 200 },
  );
});
