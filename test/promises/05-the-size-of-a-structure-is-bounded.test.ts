import { expect } from 'vitest';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/child-server.ts';
import { openLegacy, writeModern } from './support/messages.ts';
import { Poster } from './support/poster.ts';
import { isLong, promise } from './support/promise.ts';

const REFUSED = '400 -32600: The message is refused: it has more than 50000 values.';
const TOO_LARGE = '413 -32600: The body is larger than 4194304 bytes.';

const STRUCTURES: Readonly<Record<string, { readonly text: () => string; readonly answer: string }>> = {
  '200,000 keys': {
    text: () => `{${Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
    answer: REFUSED,
  },
  '1,000,000 numbers': { text: () => `[${'1,'.repeat(999_999)}1]`, answer: REFUSED },
  '50,000 numbers': { text: () => `[${'1,'.repeat(49_999)}1]`, answer: REFUSED },
  '49,900 numbers': { text: () => `[${'1,'.repeat(49_899)}1]`, answer: '200 answered' },
  'a string of 4 MB': { text: () => JSON.stringify('x'.repeat(4_000_000)), answer: '200 answered' },
  'a string of 4 MiB': { text: () => JSON.stringify('x'.repeat(4_194_304)), answer: TOO_LARGE },
  '10,000 times the same key': { text: () => `{${'"k":1,'.repeat(9999)}"k":1}`, answer: '200 answered' },
};

const PLACES: Readonly<Record<string, object>> = {
  params: { more: 'LARGE' },
  arguments: { arguments: { large: 'LARGE' } },
  _meta: { _meta: { large: 'LARGE' } },
};

const ECHO_CHECK = 'a long key is not repeated in what is wrong with it';

promise('the size of a structure is bounded', {
  checks: {
    'what is too large is refused, the rest is answered': check,
    [ECHO_CHECK]: checkEchoes,
  },
  switches: [
    {
      defence: 'the bound on the number of values',
      off: [
        {
          module: 'wire/scan-json.js',
          find: 'export function findJsonProblem(bytes, { maxDepth, maxNodes }) {',
          replace: 'export function findJsonProblem(bytes, { maxDepth, maxNodes }) { maxNodes = Infinity;',
        },
      ],
      red: /200,000 keys in params/,
    },
    {
      defence: 'the look at plain calls',
      off: [{ module: 'wire/plain-call.js', find: '!isHarmless(written, limits)', replace: 'false' }],
      red: /200,000 keys in params/,
    },
    {
      defence: 'the cut of long keys',
      check: ECHO_CHECK,
      off: [{ module: 'errors/cut-text.js', find: 'text.length > max', replace: 'false' }],
      red: /bytes of the answer/,
    },
    {
      defence: 'paths without escapes',
      check: ECHO_CHECK,
      off: [
        {
          module: 'schema/ajv-compiler.js',
          find: 'jsPropertySyntax: true',
          replace: 'jsPropertySyntax: false',
        },
      ],
      red: /json_schema: (?:ms of the call|the answer)/,
    },
  ],
});

const LONG_KEY = 'k'.repeat(400_000);
const CALLS: readonly (readonly [string, string])[] = [
  ['tools/call', 'json_schema'],
  ['tools/call', 'record'],
  ['tools/call', 'strict'],
  ['tools/call', 'rejecting'],
  ['tools/call', 'both'],
  ['prompts/get', 'greet'],
];

async function checkEchoes(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('echoing-http.mjs', { without });
  const poster = new Poster(server.port, 1);
  const writers = { '2026-07-28': writeModern, '2025-11-25': await openLegacy(poster) };
  const spent = async (): Promise<number> => {
    const asked = server.hear<{ spentMs: number }>('spentMs');
    server.process.send('spent');
    return (await asked).spentMs;
  };
  const args = { [LONG_KEY]: Array.from({ length: 20_000 }, () => 1) };
  for (const [revision, write] of Object.entries(writers)) {
    for (const [method, name] of CALLS) {
      const before = await spent();
      const { text } = await poster.send(write(method, { name, arguments: args }));
      expect((await spent()) - before, `${name}: ms of the call (${revision})`).toBeLessThan(2000);
      expect(text.length, `${name}: bytes of the answer (${revision})`).toBeLessThan(100_000);
      expect(text, `${name}: the answer (${revision})`).toContain('k…');
    }
    const { text } = await poster.send(write('tools/call', { name: LONG_KEY }));
    expect(text.length, `an unknown tool: bytes of the answer (${revision})`).toBeLessThan(1000);
    const method = await poster.send(write(LONG_KEY, {}));
    expect(method.text.length, `an unknown method: bytes of the answer (${revision})`).toBeLessThan(1000);
  }
}

async function check(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('measure-http.mjs', { without });
  const poster = new Poster(server.port, 1);
  const writers = { '2026-07-28': writeModern, '2025-11-25': await openLegacy(poster) };
  if (isLong) await server.watchDelay();
  for (const [name, { text, answer }] of Object.entries(STRUCTURES)) {
    const large = text();
    for (const [place, params] of Object.entries(PLACES)) {
      for (const [revision, write] of Object.entries(writers)) {
        const { headers, body } = write('tools/call', { name: 'measure', ...params });
        const sent = await poster.send({ headers, body: body.replace('"LARGE"', () => large) });
        const { error } = JSON.parse(sent.text) as { error?: { code: number; message: string } };
        const said = error === undefined ? 'answered' : `${error.code}: ${error.message}`;
        expect(`${sent.status} ${said}`, `${name} in ${place} (${revision})`).toBe(answer);
      }
    }
  }
  if (!isLong) return;
  const { maxDelayMs } = await server.usage();
  expect(maxDelayMs, 'the longest the event loop was held up, in ms').toBeLessThanOrEqual(200);
}
