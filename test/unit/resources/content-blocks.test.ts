import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonSchema, ToolRegistry } from '../../../src/index.ts';
import { audio, file, image } from '../../../src/files.ts';
import { connect } from '../../support/sdk.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'blocks-'));
  mkdirSync(join(folder, 'dir.png'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const PNG = Buffer.from('89504e470d0a1a0a00', 'hex');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('image and audio', () => {
  test.each([
    ['image', PNG, 'image/png'],
    ['image', Buffer.from('ffd8ffe0', 'hex'), 'image/jpeg'],
    ['image', latin1('GIF89a\x01'), 'image/gif'],
    ['image', latin1('RIFF\n\x00\x00\x00WEBPVP8 '), 'image/webp'],
    ['image', latin1('\x00\x00\x00 ftypavif'), 'image/avif'],
    ['audio', latin1('RIFF\x00\n\r\x00WAVEfmt '), 'audio/wav'],
    ['audio', latin1('ID3\x04'), 'audio/mpeg'],
    ['audio', Buffer.from('fffb9064', 'hex'), 'audio/mpeg'],
    ['audio', latin1('OggS'), 'audio/ogg'],
    ['audio', latin1('fLaC'), 'audio/flac'],
    ['audio', latin1('\x00\x00\x00 ftypM4A '), 'audio/mp4'],
  ] as const)('%s of %j is %s', async (kind, bytes, mimeType) => {
    const make = { image, audio }[kind];
    const block = { type: kind, data: bytes.toString('base64'), mimeType };
    expect(await make(bytes)).toEqual(block);
    // The name of a file may be wrong; its bytes are right.
    expect(await make(write('wrong.txt', bytes))).toEqual(block);
  });

  test('the bytes of a view are those of the view alone', async () => {
    const whole = new Uint8Array([1, 2, ...PNG, 3, 4]);
    expect(await image(whole.subarray(2, 2 + PNG.length))).toMatchObject({ data: PNG.toString('base64') });
  });

  test('the name tells the type where bytes do not, and mimeType before both', async () => {
    const svg = write('a.svg', '<svg/>');
    expect(await image(svg)).toEqual({ type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' });
    expect(await image(pathToFileURL(svg))).toMatchObject({ mimeType: 'image/svg+xml' });
    expect(await image(PNG, { mimeType: 'image/x-own' })).toMatchObject({ mimeType: 'image/x-own' });
  });

  test('values that are not images are rejected with an error for the author', async () => {
    await expect(image(latin1('%PDF-1.7'))).rejects.toMatchObject({
      code: 'INVALID_DEFINITION',
      option: 'mimeType',
      message: 'image: the media type is application/pdf. Pass mimeType, such as image/png.',
    });
    await expect(audio(latin1('?'))).rejects.toThrow(
      'audio: the media type cannot be detected from the bytes or the name. Pass mimeType, such as audio/wav.',
    );
    await expect(image(PNG, { mimetype: 'x' } as never)).rejects.toMatchObject({ reason: 'unknown-option' });
  });

  test('an ArrayBuffer is bytes; anything else is refused with the choices', async () => {
    const { buffer } = Uint8Array.from(PNG);
    expect(await image(buffer)).toMatchObject({ mimeType: 'image/png', data: PNG.toString('base64') });
    const choices = 'a Uint8Array, an ArrayBuffer, or the path or file: URL of a file';
    for (const [source, found] of [
      [undefined, ' is required; expected '],
      [new Blob([PNG]), ' must be '],
      [new URL('https://example.com/a.png'), ' must be '],
    ] as const)
      await expect(image(source as never)).rejects.toMatchObject({
        code: 'INVALID_DEFINITION',
        option: 'source',
        message: expect.stringContaining(`image: source${found}${choices}`) as string,
      });
  });

  test('a mimeType is a media type', async () => {
    for (const mimeType of ['png', 'image/', 'image/a b', 'image/png\r\n', 'image/png, x/y'])
      await expect(image(PNG, { mimeType })).rejects.toMatchObject({ option: 'mimeType' });
    for (const mimeType of ['image/SVG+xml', 'image/vnd.x-y', 'image/x;profile="a b"'])
      expect(await image(PNG, { mimeType })).toMatchObject({ mimeType });
  });

  test('a string that is no path is shown in part, without control characters', async () => {
    const error: unknown = await file(`a,b\n\u001B[31m${'x'.repeat(5000)}`, { uri: 'a:b' }).catch(
      (thrown: unknown) => thrown,
    );
    expect((error as Error).message).toBe(`The file "a,b[31m${'x'.repeat(193)}" cannot be read.`);
  });

  test('what is too large is refused before it is read', async () => {
    const message = 'The image is larger than the limit of 8 bytes.';
    await expect(image(PNG, { maxBytes: 8 })).rejects.toThrow(message);
    await expect(image(write('a.png', PNG), { maxBytes: 8 })).rejects.toThrow(message);
    expect(await image(PNG, { maxBytes: 9 })).toMatchObject({ type: 'image' });
    await expect(image(new Uint8Array(3_000_001), { mimeType: 'image/png' })).rejects.toThrow(
      '3000000 bytes',
    );
  });

  test('an unreadable file is named without its folder', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.png')]);
    for (const name of ['nowhere.png', 'dir.png', 'pipe.png']) {
      await expect(image(join(folder, name))).rejects.toMatchObject({
        code: 'TOOL_ERROR',
        message: `The file "${name}" cannot be read.`,
      });
    }
  });
});

describe('file', () => {
  const uri = 'reports://july';

  test('is text where it is one, and bytes otherwise', async () => {
    expect(await file(write('july.csv', 'a,ü'), { uri })).toEqual({
      type: 'resource',
      resource: { uri, mimeType: 'text/csv', text: 'a,ü' },
    });
    expect(await file(latin1('%PDF-1.7'), { uri })).toEqual({
      type: 'resource',
      resource: { uri, mimeType: 'application/pdf', blob: 'JVBERi0xLjc=' },
    });
    expect(await file(Buffer.from([0, 255]), { uri })).toMatchObject({
      resource: { mimeType: 'application/octet-stream', blob: 'AP8=' },
    });
    expect(await file(Buffer.from('# A'), { uri: 'docs://a.md' })).toMatchObject({
      resource: { mimeType: 'text/markdown', text: '# A' },
    });
  });

  test('needs a URI: a path on the disk is nobody else’s business', async () => {
    await expect(file(PNG, {} as never)).rejects.toMatchObject({ option: 'uri' });
  });
});

test.each([
  ['v1 Server', 'v1 Client'],
  ['v2 Server', 'v2 Client'],
])('%s and %s take all three', async (server, sdkClient) => {
  const registry = new ToolRegistry();
  registry.register({
    name: 'chart',
    description: 'A chart',
    inputSchema: jsonSchema({ type: 'object' }),
    handler: () =>
      Promise.all([image(PNG), audio(latin1('OggS')), file(Buffer.from('a'), { uri: 'reports://a.txt' })]),
  });
  await using connection = await connect(registry, { server, client: sdkClient });
  const { content } = await connection.client.callTool('chart');
  expect(content).toEqual([
    { type: 'image', data: 'iVBORw0KGgoA', mimeType: 'image/png' },
    { type: 'audio', data: 'T2dnUw==', mimeType: 'audio/ogg' },
    { type: 'resource', resource: { uri: 'reports://a.txt', mimeType: 'text/plain', text: 'a' } },
  ]);
});
