import { describe, expect, test } from 'vitest';
import { DefinitionError, ValidationError } from '../../../../src/errors/errors.ts';
import type { ReadFile } from '../../../../src/openapi/request/request-plan.ts';
import { bodyPlan, headerOf, properties, useRecorder, whole } from './recorder.ts';

const recorder = useRecorder();

type ReadUri = (uri: string) => Promise<ReadFile>;

async function sendFile(
  mediaType: string,
  file: unknown,
  readFile?: ReadUri,
): Promise<[contentType: string | undefined, hex: string]> {
  const plan = bodyPlan(whole(mediaType, 'file', true));
  const recorded = await recorder.send(plan, { file }, readFile === undefined ? {} : { readFile });
  return [headerOf(recorded, 'content-type'), recorded.body.toString('hex')];
}

describe('base64', () => {
  test.each([
    ['+/+/', 'fbffbf'],
    ['-_-_', 'fbffbf'],
    ['YQ==', '61'],
    ['YQ', '61'],
    ['YWI=', '6162'],
    ['YWI', '6162'],
    [' Y W\r\nI\t=\n', '6162'],
    ['', ''],
  ])('%j is read', async (data, hex) => {
    expect(await sendFile('application/octet-stream', data)).toEqual(['application/octet-stream', hex]);
    expect(await sendFile('application/octet-stream', { data })).toEqual(['application/octet-stream', hex]);
  });

  test.each(['a', 'YQ=', 'YQ===', '=', 'Y=Q=', 'YQ==YQ==', 'YWI\u00E4', 'file.txt', 'https://example.com/a'])(
    '%j is refused',
    async (data) => {
      const before = recorder.count();
      for (const file of [data, { data }]) {
        const sent = sendFile('application/octet-stream', file);
        await expect(sent).rejects.toThrow('The argument "file" must be base64');
        await expect(sent).rejects.toBeInstanceOf(ValidationError);
      }
      expect(recorder.count()).toBe(before);
    },
  );

  test.each([[null], [7], [[]], [{}], [{ data: 7 }], [{ data: 'YQ', uri: 'data:,a' }], [{ name: 'a' }]])(
    '%j is no file',
    async (file) => {
      await expect(sendFile('application/octet-stream', file)).rejects.toThrow(
        'The argument "file" must be a file: base64, or an object with either "data" (base64) or "uri".',
      );
    },
  );
});

describe('data: URLs', () => {
  test.each([
    ['data:image/png;base64,YQ==', 'image/png', '61'],
    ['data:image/png;base64,-_-_', 'image/png', 'fbffbf'],
    ['data:image/png;base64,YQ%3D%3D', 'image/png', '61'],
    ['DATA:text/plain;charset=utf-8;BASE64,YQ', 'text/plain;charset=utf-8', '61'],
    ['data:text/plain,a%20%FF,b%zz', 'text/plain', '6120ff2c62257a7a'],
    ['data:,\u00E4', 'application/octet-stream', 'c3a4'],
    ['data:nonsense,a', 'application/octet-stream', '61'],
    ['data:;base64,', 'application/octet-stream', ''],
  ])('%s', async (uri, mimeType, hex) => {
    expect(await sendFile('*/*', uri)).toEqual([mimeType, hex]);
    expect(await sendFile('*/*', { uri })).toEqual([mimeType, hex]);
  });

  test('that are none are refused', async () => {
    await expect(sendFile('*/*', { uri: 'data:abc' })).rejects.toThrow(
      'The argument "file" has a data: URL without a comma',
    );
    await expect(sendFile('*/*', { uri: 'data:;base64,a' })).rejects.toThrow(
      'The argument "file" must be base64',
    );
  });
});

describe('other URIs', () => {
  const uri = 'notes://7';

  test('are read by who can', async () => {
    const asked: string[] = [];
    const readFile: ReadUri = (given) => {
      asked.push(given);
      return Promise.resolve({ bytes: Buffer.from('abc'), mimeType: 'text/x-note', name: 'seven.note' });
    };
    expect(await sendFile('*/*', { uri }, readFile)).toEqual(['text/x-note', '616263']);
    expect(await sendFile('*/*', { uri, mimeType: 'a/b' }, readFile)).toEqual(['a/b', '616263']);
    const plan = bodyPlan(properties('multipart/form-data', ['f@']));
    const { body } = await recorder.send(plan, { f: { uri } }, { readFile });
    expect(body.toString()).toContain(
      'name="f"; filename="seven.note"\r\nContent-Type: text/x-note\r\n\r\nabc\r\n',
    );
    expect(asked).toEqual([uri, uri, uri]);
  });

  test('are rejected where files cannot be read', async () => {
    await expect(sendFile('*/*', { uri })).rejects.toThrow(
      'The argument "file" names a URI, which this server cannot read. Send the file as base64 in "data", or as a data: URL.',
    );
  });

  test('that cannot be read are reported, without internal details', async () => {
    const secret = new Error('/home/me/.ssh/id_rsa');
    await expect(sendFile('*/*', { uri }, () => Promise.reject(secret))).rejects.toMatchObject({
      code: 'TOOL_ERROR',
      message: 'The file of the argument "file" could not be read.',
    });
    const ours = new DefinitionError('No resource has that URI.');
    await expect(sendFile('*/*', { uri }, () => Promise.reject(ours))).rejects.toBe(ours);
  });
});

describe('the type of a body that is a file', () => {
  test.each([
    ['image/png', 'image/gif', 'image/png'],
    ['application/octet-stream', 'image/gif', 'application/octet-stream'],
    ['image/*', 'image/gif', 'image/gif'],
    ['*/*', 'image/gif', 'image/gif'],
    ['image/*', undefined, 'application/octet-stream'],
    ['*/*', undefined, 'application/octet-stream'],
    ['application/json', undefined, 'application/json'],
    ['text/csv; charset=utf-8', undefined, 'text/csv; charset=utf-8'],
  ])('of %s and %s is %s', async (mediaType, mimeType, contentType) => {
    const file = mimeType === undefined ? { data: 'YQ==' } : { data: 'YQ==', mimeType };
    expect(await sendFile(mediaType, file)).toEqual([contentType, '61']);
  });
});
