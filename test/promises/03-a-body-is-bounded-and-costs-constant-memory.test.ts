import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { postModern } from '../support/raw-http.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { offerBody } from './support/offered-body.ts';
import type { Offer } from './support/offered-body.ts';
import { peakBytes } from './support/peak-memory.ts';
import { promise } from './support/promise.ts';

const MB = 1024 * 1024;
const GB = 1024 * MB;

/** A gigabyte of zeros: gzip files may be concatenated. */
const BOMB = Buffer.concat(Array<Buffer>(1024).fill(gzipSync(Buffer.alloc(MB))));

const GZIP = { headers: ['Content-Encoding: gzip'] };
const CHUNKED: Offered = { name: '1 GB in chunks', framing: 'chunked', bytes: GB, status: 413 };
const LENGTH: Offered = { name: '1 GB with its length', framing: 'length', bytes: GB, status: 413 };
const COMPRESSED: readonly Offered[] = [
  { name: '1 GB in a gzip bomb', ...GZIP, framing: 'length', bytes: BOMB.length, start: BOMB, status: 415 },
  { name: '1 GB of gzip in chunks', ...GZIP, framing: 'chunked', bytes: GB, start: BOMB, status: 415 },
];

/** Whole bodies in chunks of one size: one byte, and longer ones. */
function inChunksOf(chunkBytes: number, bytes: number): Offered {
  return {
    name: `${bytes / 1024} KB in chunks of ${chunkBytes} B`,
    headers: ['Connection: close'],
    framing: 'chunked',
    bytes,
    chunkBytes,
    // Not JSON; a body in thousands of tiny chunks is not read to its end.
    status: chunkBytes < 64 && bytes / chunkBytes > 4096 ? 413 : 400,
  };
}
/** The number of chunks of a short body and of a long one. */
const SMALL_CHUNKS = [1, 7, 1024].flatMap((size) => [
  inChunksOf(size, 63 * 1024),
  inChunksOf(size, 252 * 1024),
]);
const SHORT_IN_SMALL_CHUNKS = [1, 7, 1024].map((size) => inChunksOf(size, 21 * 1024));

interface Offered extends Omit<Offer, 'giveUpAfter'> {
  readonly name: string;
  /** Expected HTTP status. */
  readonly status: number;
}

const ONE = { atOnce: 1, maxGrowth: 16 * MB };
const FIFTY = { atOnce: 50, maxGrowth: 64 * MB };
const MCP_ENDPOINT = 'transport/http/mcp-endpoint.js';

promise('a body is bounded, and costs constant memory', {
  checks: {
    'in chunks': (without) => check(without, ONE, [CHUNKED]),
    'with its length': (without) => check(without, ONE, [LENGTH]),
    compressed: (without) => check(without, ONE, COMPRESSED),
    'in small chunks': (without) => check(without, ONE, SMALL_CHUNKS),
    'fifty at once, in small chunks': (without) => check(without, FIFTY, SHORT_IN_SMALL_CHUNKS),
    'fifty at once': (without) => check(without, FIFTY, [CHUNKED, LENGTH, ...COMPRESSED]),
  },
  switches: [
    {
      defence: 'the limit on bytes read',
      off: [{ module: 'transport/http/faces/node-body.js', defence: 'bound-of-a-body' }],
      check: 'in chunks',
      red: /1 GB in chunks: the status must be 413/,
    },
    {
      defence: 'the memory shared by long bodies',
      off: [
        {
          module: 'transport/http/message/reading-room.js',
          defence: 'room-of-long-bodies',
          by: "return 'reads';",
        },
      ],
      check: 'fifty at once',
      red: /1 GB in chunks: (?:how much the peak memory grew|the status must be 413|the server hung up)/,
    },
    {
      defence: 'copying of chunks',
      off: [
        {
          module: 'transport/http/faces/node-body.js',
          defence: 'copying-of-pieces',
          by: '(this.kept ??= []).push(arguments[0]); $&',
        },
        { module: 'transport/http/faces/node-body.js', defence: 'bound-of-a-body' },
      ],
      check: 'fifty at once, in small chunks',
      red: /in chunks of 1 B: (?:how much the peak memory grew|the status must be 413)/,
    },
    {
      defence: 'the rejection of compressed bodies',
      off: [{ module: MCP_ENDPOINT, defence: 'no-compressed-bodies' }],
      check: 'compressed',
      red: /1 GB in a gzip bomb: the status must be 415/,
    },
    {
      defence: 'closing the connection after a rejection',
      off: [{ module: 'transport/http/faces/node-face.js', defence: 'hang-up-on-who-is-refused' }],
      check: 'compressed',
      red: /1 GB in a gzip bomb: the server hung up|1 GB of gzip in chunks: bytes that were read/,
    },
  ],
});

/**
 * Chunks that were copied are garbage. V8 lets up to 50 MB of them gather in Node 20, and 100 MB in Node 24. A small young generation is
 * collected often, so the peak is the memory that the server holds.
 */
const TIDY = ['--max-semi-space-size=1'];

async function check(
  without: readonly Weakness[],
  { atOnce, maxGrowth }: typeof ONE,
  offers: readonly Offered[],
): Promise<void> {
  const server = await ChildServer.listen('measure-http.mjs', { without, execArgv: TIDY });
  await warmUp(server);
  const before = peakBytes(server.process.pid);
  for (const { name, status, ...offer } of offers) {
    await readOf(server);
    const taken = await Promise.all(
      Array.from({ length: atOnce }, () => offerBody(server.port, { ...offer, giveUpAfter: 32 * MB })),
    );
    expect(
      // Where many requests share the memory, a client that gets no processor for a while counts as stalled and gets 503.
      taken.filter((each) => each.status !== status && !(atOnce > 1 && each.status === 503)),
      `${name}: the status must be ${status}`,
    ).toEqual([]);
    expect(Math.max(...(await readOf(server))), `${name}: bytes that were read`).toBeLessThan(8 * MB);
    expect(
      taken.filter(({ isClosed }) => !isClosed),
      `${name}: the server hung up`,
    ).toEqual([]);
    const growth = peakBytes(server.process.pid) - before;
    expect(growth, `${name}: how much the peak memory grew`).toBeLessThanOrEqual(maxGrowth);
  }
  expect((await measure(server)).status, 'the next request').toBe(200);
}

/** Code that is loaded and compiled on first use costs only once. */
async function warmUp(server: ChildServer): Promise<void> {
  for (let call = 0; call < 100; call += 1) await measure(server);
}

function measure({ url }: ChildServer): ReturnType<typeof postModern> {
  return postModern(url, { method: 'tools/call', params: { name: 'measure', arguments: { a: 1 } } });
}

/** Bytes read from each connection since the previous call. */
async function readOf(server: ChildServer): Promise<readonly number[]> {
  const answer = server.hear<{ read: number[] }>('read');
  server.process.send('read');
  return (await answer).read;
}
