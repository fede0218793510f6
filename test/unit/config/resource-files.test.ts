import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useScratch } from './support.ts';

const { load, write, folder } = useScratch();

async function read(file: string, limits = ''): Promise<unknown> {
  const text = `name: demo\n${limits}\nresources: [{ uri: 'demo://a', name: a, file: '${file}' }]\n`;
  const { server } = await load('c.yaml', text);
  return server.resources?.readResource({ uri: 'demo://a' });
}

const refusal = (limit: number): object => ({
  kind: 'protocol-error',
  code: -32603,
  reason: 'RESULT_TOO_LARGE',
  message: `The file is larger than the maximum of ${limit} bytes.`,
  data: { code: 'RESULT_TOO_LARGE' },
});

test('a file that is too large to be sent is not read', async () => {
  write('large.bin', '');
  truncateSync(join(folder(), 'large.bin'), 400_000_000);
  expect(await read('large.bin')).toEqual(refusal(4_194_304));
});

test('a file above maxResultBytes is rejected', async () => {
  write('a.txt', 'x'.repeat(600));
  expect(await read('a.txt', 'limits: { maxResultBytes: 500 }')).toEqual(refusal(500));
  expect(await read('a.txt')).toMatchObject({ value: { contents: [{ text: 'x'.repeat(600) }] } });
});

test.skipIf(process.platform === 'win32')('a device has no end, and is not read', async () => {
  expect(await read('/dev/zero')).toMatchObject({ message: 'The resource is not a regular file.' });
});
