import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConnectedApi } from './support/connected-api.ts';
import { readFormFields } from './support/read-request.ts';
import { headerOf } from './support/recording-server.ts';

const FILE = { type: 'string', format: 'binary' };
const PNG = 'iVBORw0KGgo=';

function upload(operationId: string, content: object): object {
  return { post: { operationId, requestBody: { required: true, content }, responses: {} } };
}

describe('files that are resources of the same server', () => {
  let connected: ConnectedApi;
  beforeAll(async () => {
    connected = await ConnectedApi.open((origin) => ({
      document: {
        openapi: '3.1.1',
        info: { title: 'Files', version: '1' },
        servers: [{ url: origin }],
        paths: {
          '/one': upload('one', {
            'multipart/form-data': {
              schema: { type: 'object', properties: { file: FILE, note: { type: 'string' } } },
            },
          }),
          '/many': upload('many', {
            'multipart/form-data': {
              schema: { type: 'object', properties: { files: { type: 'array', items: FILE } } },
            },
          }),
          '/raw': upload('raw', { '*/*': { schema: FILE } }),
        },
      },
      resources: [
        {
          uri: 'memory://icons/logo.png',
          name: 'Logo',
          mimeType: 'image/png',
          blob: Buffer.from(PNG, 'base64'),
        },
        { uri: 'memory://notes/today.txt', name: 'Today', mimeType: 'text/plain', text: 'é\n' },
      ],
    }));
  });
  afterAll(() => connected.close());

  test('a part of a form, with its name and type', async () => {
    const request = await connected.send('one', { file: { uri: 'memory://icons/logo.png' }, note: 'n' });
    expect(await readFormFields(request)).toEqual([
      ['file', { name: 'logo.png', type: 'image/png', base64: PNG }],
      ['note', 'n'],
    ]);
  });

  test('several, of every kind', async () => {
    const request = await connected.send('many', {
      files: [
        { uri: 'memory://notes/today.txt', name: 'note.md', mimeType: 'text/markdown' },
        { uri: 'data:text/plain,a%20b' },
        PNG,
      ],
    });
    expect(await readFormFields(request)).toEqual([
      ['files', { name: 'note.md', type: 'text/markdown', base64: 'w6kK' }],
      ['files', { name: 'files', type: 'text/plain', base64: 'YSBi' }],
      ['files', { name: 'files', type: 'application/octet-stream', base64: PNG }],
    ]);
  });

  test('the whole body, with the type of the resource', async () => {
    const request = await connected.send('raw', { body: { uri: 'memory://icons/logo.png' } });
    expect(headerOf(request, 'content-type')).toBe('image/png');
    expect(request.body.toString('base64')).toBe(PNG);
  });

  test.for([
    ['a resource that is not there', { uri: 'memory://nothing' }],
    ['a file of this computer', { uri: 'file:///etc/passwd' }],
    ['an address', { uri: 'http://127.0.0.1/secret' }],
    ['no base64', 'not base64!'],
  ])('%s is refused, and nothing is sent', async ([, file]) => {
    const { result, requests } = await connected.call('one', { file });
    expect(requests).toEqual([]);
    expect(result.isError).toBe(true);
  });
});
