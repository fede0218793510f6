import * as fc from 'fast-check';
import { expect } from 'vitest';
import { envelope } from '../support/raw-peer.ts';
import type { Weakness } from './support/weaken.ts';
import { draw, SEED } from './support/draw.ts';
import { promise } from './support/promise.ts';
import { readMessages, StdioPeer } from './support/stdio-peer.ts';
import type { Spoken } from './support/stdio-peer.ts';

const LIMIT = 4_194_304;
const NEWLINE = Buffer.from('\n');

/** A line that is not a request, and the number of responses it gets. */
interface Frame {
  readonly bytes: Buffer;
  readonly answers: 0 | 1;
}

const text = (frame: string): Frame => ({ bytes: Buffer.from(frame), answers: 1 });
const silent = (frame: object): Frame => ({
  bytes: Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...frame })),
  answers: 0,
});
const VALID = JSON.stringify({
  jsonrpc: '2.0',
  id: 'malformed',
  method: 'ping',
  params: { text: 'tägliche Übung' },
});

const ids = fc.oneof(fc.integer(), fc.string(), fc.constant('valid-7'));
const MALFORMED: fc.Arbitrary<Frame> = fc.oneof(
  // No blank at the start and no line break: exactly one non-empty line.
  fc.tuple(fc.integer({ min: 33, max: 255 }), fc.uint8Array({ maxLength: 60 })).map(([first, rest]) => ({
    bytes: Buffer.from([first, ...rest.filter((byte) => byte !== 10)]),
    answers: 1 as const,
  })),
  fc.integer({ min: 1, max: VALID.length - 1 }).map((end) => text(VALID.slice(0, end))),
  fc
    .constantFrom(
      'null',
      '[]',
      '{}',
      '[[]]',
      '1',
      '""',
      'true',
      'NaN',
      '[null]',
      '{"jsonrpc":"2.0"}',
      '{"id":1}',
      '}',
      ']',
      '"',
    )
    .map(text),
  fc.jsonValue({ maxDepth: 3 }).map((value) => text(JSON.stringify(value))),
  fc.nat(VALID.length - 20).map((at) => {
    const bytes = Buffer.from(VALID);
    bytes[at + 2] = 0xff;
    return { bytes, answers: 1 as const };
  }),
  fc.constantFrom(...['', '{', 'null', '{}'].map((rest) => text(`\uFEFF\uFEFF${rest}x`))),
  fc.constantFrom(1, 127, 128, 129, 5000, 50_000).map((depth) => text('['.repeat(depth))),
  fc.constantFrom(129, 5000, 50_000).map((depth) => text(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)),
  fc
    .tuple(ids, fc.constantFrom({}, [], 1, 'x', false, { action: 'accept' }))
    .map(([id, result]) => silent({ id, result })),
  ids.map((id) => silent({ id, error: { code: -1, message: 'no' } })),
  fc.tuple(fc.string(), ids).map(([method, requestId]) => silent({ method, params: { requestId } })),
);

promise('no input crashes or hangs the stdio server', {
  checks: {
    'a valid call among 100 malformed frames is answered, 100 times': checkMalformed,
    'a frame is read however it is cut and ended': checkFraming,
    'nothing but messages is on stdout, also when the input has ended': checkEnd,
    'a line that is too long is one error, and the next one is answered': checkLongLine,
  },
  switches: [
    {
      defence: 'the guard of standard output',
      off: [{ module: 'transport/stdio/protect-stdout.js', defence: 'guard-of-stdout' }],
      check: 'nothing but messages is on stdout, also when the input has ended',
      red: /what is on stdout and is no message/,
    },
    {
      defence: 'a response to invalid JSON',
      off: [
        {
          module: 'wire/messages/decode.js',
          defence: 'response-to-no-json',
          by: "throw new Error('no JSON');",
        },
      ],
      red: /the server crashed/,
    },
    {
      defence: 'the UTF-8 check',
      off: [{ module: 'transport/stdio/line-splitter.js', defence: 'utf8-of-a-line' }],
      check: 'a frame is read however it is cut and ended',
      red: /a frame that is not UTF-8/,
    },
    {
      defence: 'the length limit of a line',
      off: [{ module: 'transport/stdio/line-splitter.js', defence: 'bound-of-a-line' }],
      check: 'a line that is too long is one error, and the next one is answered',
      red: /the answer to a line of one byte too many/,
    },
    {
      defence: 'reading after a line that is too long',
      off: [{ module: 'transport/stdio/line-splitter.js', defence: 'reading-on-after-a-long-line' }],
      check: 'a line that is too long is one error, and the next one is answered',
      red: /unanswered/,
    },
  ],
});

async function checkMalformed(without: readonly Weakness[]): Promise<void> {
  const peer = await StdioPeer.start('chatty-stdio.mjs', { without });
  const frames = draw(MALFORMED, 10_000);
  let expected = 0;
  let batch: Buffer[] = [];
  for (const [index, { bytes, answers }] of frames.entries()) {
    batch.push(bytes, NEWLINE);
    expected += answers;
    if ((index + 1) % 100 !== 0) continue;
    batch.push(Buffer.from(`${call(`valid-${index}`, 'Grüße')}\n`));
    expected += 1;
    await peer.write(Buffer.concat(batch));
    batch = [];
  }
  await peer.untilLines(expected);
  // Late or duplicate responses arrive before this one.
  await ask(peer, { id: 'last', text: 'last', after: expected });
  const { messages, strays } = readMessages(peer.output);
  expect(strays, 'what is on stdout and is no message').toEqual([]);
  const answered = messages.filter(
    ({ id, result }) => String(id).startsWith('valid-') && textOf(result) === 'Grüße',
  );
  expect(answered, `valid calls that were answered (seed ${SEED})`).toHaveLength(100);
  expect(messages, `answers to all frames (seed ${SEED})`).toHaveLength(expected + 1);
  const refused = messages.filter(({ error }) => error !== undefined);
  expect(refused, `answers to malformed frames (seed ${SEED})`).toHaveLength(expected - 100);
  expect(await peer.end(), 'how the server ended').toBe(0);
  expect(readMessages(peer.output).strays, 'what is on stdout and is no message').toEqual([]);
  expect(peer.server.stderr, 'where the chatter went').toContain('chatter of after a call');
}

async function checkFraming(without: readonly Weakness[]): Promise<void> {
  const peer = await StdioPeer.start('chatty-stdio.mjs', { without });
  for (const byte of Buffer.from(`${call('bytes', 'Übung 🎻')}\n`)) {
    await peer.write(Buffer.from([byte]));
    // So that they are not sent in one piece.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  await peer.write(`${call('windows', 'Übung 🎻')}\r\n\r\n\r\n`);
  const split = Buffer.from(`${call('split', 'Übung 🎻')}\n`);
  const inside = split.indexOf(Buffer.from('🎻')) + 2;
  await peer.write(split.subarray(0, inside));
  await peer.untilLines(2);
  await peer.write(split.subarray(inside));
  await peer.write(`${call('one', 'a')}\n${call('two', 'b')}\n`);
  const broken = Buffer.from(`${call('broken', 'a?c')}\n`);
  broken[broken.indexOf('?')] = 0xff;
  await peer.write(broken);
  await peer.untilLines(6);
  const { messages, strays } = readMessages(peer.output);
  expect(strays, 'what is on stdout and is no message').toEqual([]);
  const texts = new Map(messages.map(({ id, result }) => [id, textOf(result)]));
  for (const id of ['bytes', 'windows', 'split'])
    expect(texts.get(id), `a frame of several bytes a character, ${id}`).toBe('Übung 🎻');
  expect([texts.get('one'), texts.get('two')], 'several frames at once').toEqual(['a', 'b']);
  const refused = messages.filter(({ error }) => error !== undefined).map(({ error }) => error?.code);
  expect(refused, 'a frame that is not UTF-8').toEqual([-32700]);
  expect(messages, 'all answers').toHaveLength(6);
}

async function checkEnd(without: readonly Weakness[]): Promise<void> {
  const peer = await StdioPeer.start('chatty-stdio.mjs', { without });
  await peer.write(call('last', 'no end of line'));
  expect(await peer.end(), 'how the server ended').toBe(0);
  const { messages, strays } = readMessages(peer.output);
  // The reader still runs, and so does the output that a tool left running.
  expect(strays, 'what is on stdout and is no message').toEqual([]);
  expect(
    messages.map(({ result }) => textOf(result)),
    'the answer to a last line without an end',
  ).toEqual(['no end of line']);
  expect(peer.server.stderr, 'where the chatter went').toContain('chatter of a call');
}

async function checkLongLine(without: readonly Weakness[]): Promise<void> {
  const peer = await StdioPeer.start('chatty-stdio.mjs', { without });
  const around = Buffer.byteLength(call('long', ''));
  const fits = await ask(peer, { id: 'fits', text: 'x'.repeat(LIMIT - around), after: 0 });
  expect(textOf(fits?.result), 'the answer to a line as long as the limit').toBe(
    `${LIMIT - around} characters`,
  );
  const refused = await ask(peer, { id: 'long', text: 'x'.repeat(LIMIT - around + 1), after: 1 });
  expect(refused?.error?.code, 'the answer to a line of one byte too many').toBe(-32_600);
  expect(refused?.id, 'the answer to a line of one byte too many').toBeUndefined();
  const next = await ask(peer, { id: 'next', text: 'next', after: 2 });
  expect(textOf(next?.result), 'the answer to the next line').toBe('next');
  expect(readMessages(peer.output).messages, 'all answers').toHaveLength(3);
}

/** Calls a tool, and waits for the one response after the previous ones. */
async function ask(
  peer: StdioPeer,
  { id, text: said, after }: { id: string; text: string; after: number },
): Promise<Spoken | undefined> {
  await peer.write(`${call(id, said)}\n`);
  await peer.untilLines(after + 1);
  return readMessages(peer.output).messages.at(-1);
}

function call(id: string, said: string): string {
  const params = { name: 'echo', arguments: { text: said }, _meta: envelope({}) };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
}

function textOf(result: Spoken['result']): string | undefined {
  return result?.content?.[0]?.text;
}
