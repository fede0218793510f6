import fc from 'fast-check';
import { expect } from 'vitest';
import { countsOf, JSON_FIELDS, modernMessage, toBytes, toolCall } from './support/canary.ts';
import type { Field } from './support/canary.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import {
  DISAGREEMENTS,
  requestsWith,
  routeCall,
  toBase64Header,
  toHeader,
} from './support/mirrored-headers.ts';
import type { Mirrored, MirroredRequest, RouteArguments } from './support/mirrored-headers.ts';
import { promise } from './support/promise.ts';
import { sendAlone } from './support/raw-socket.ts';

/** Random only on request; the seed is printed with a failure. */
const SEED = fc.readConfigureGlobal()?.seed ?? Date.now();

const TEXT = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', minLength: 1 }),
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.constantFrom(
    'eu-west1',
    ' padded ',
    '=?base64?literal?=',
    'a\tb',
    'größe',
    '\uFEFFmarked',
    'line\nline',
    '>>>???',
  ),
);

const WORD = fc.stringMatching(/^[a-z]{1,8}$/);

const ARGUMENTS: fc.Arbitrary<RouteArguments> = fc.record({
  region: TEXT,
  shard: fc.oneof(fc.integer(), fc.maxSafeInteger()),
  dry: fc.boolean(),
  tenant: fc.tuple(WORD, WORD).map((words) => words.join(', ')),
});

/** A request, with the lines of each of its headers. */
interface Sent {
  readonly title: string;
  readonly request: MirroredRequest;
  readonly lines: (header: Mirrored) => readonly string[];
}

interface Answered {
  readonly status: number;
  readonly code: number | undefined;
  readonly id: unknown;
}

async function send(port: number, { request, lines }: Sent, id: string): Promise<Answered> {
  const mirrored = request.headers.flatMap((header) =>
    lines(header).map((line): Field => [header.name, line]),
  );
  const bytes = toBytes({
    method: 'POST',
    target: '/mcp',
    fields: [['Host', `127.0.0.1:${port}`], ...JSON_FIELDS, ...mirrored],
    body: JSON.stringify(modernMessage(request.method, request.params, id)),
  });
  const { status = 0, body = '', headers = {} } = (await sendAlone(port, bytes)) ?? {};
  // A stream begins only where a request got through.
  const isJson = headers['content-type'] === 'application/json';
  const message = JSON.parse(isJson ? body : '{}') as { id?: unknown; error?: { code: number } };
  return { status, code: message.error?.code, id: message.id };
}

/** Sends all requests, some concurrently; returns those with an unexpected response. */
async function findOthers(
  port: number,
  all: readonly Sent[],
  isExpected: (answered: Answered, id: string) => boolean,
): Promise<readonly string[]> {
  const others: string[] = [];
  for (let start = 0; start < all.length; start += 8) {
    const some = all.slice(start, start + 8);
    await Promise.all(
      some.map(async (sent, index) => {
        const id = `case-${start + index}`;
        const answered = await send(port, sent, id);
        if (!isExpected(answered, id)) others.push(`${sent.title}: ${JSON.stringify(answered)}`);
      }),
    );
  }
  return others;
}

/** The first of them, and the seed that draws them again. */
function listOf(others: readonly string[]): string {
  return ` (seed ${SEED})${others
    .slice(0, 10)
    .map((other) => `\n${other}`)
    .join('')}`;
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return ['echo', 'canary', 'route', 'greet', 'rules'].reduce((sum, name) => sum + (counts[name] ?? 0), 0);
}

/** Each kind of disagreement in turn, with a header that it applies to. */
function disagreeing(count: number): readonly Sent[] {
  const ways = Object.entries(DISAGREEMENTS);
  const drawn = fc.sample(fc.record({ args: ARGUMENTS, pick: fc.nat(), salt: WORD }), {
    numRuns: count * 2,
    seed: SEED,
  });
  const all: Sent[] = [];
  for (const { args, pick, salt } of drawn) {
    const [name, disagree] = ways[all.length % ways.length] ?? ['', () => undefined];
    const fitting = requestsWith(args).flatMap((request) =>
      request.headers.flatMap((header) => {
        const lines = disagree(header, salt);
        return lines === undefined ? [] : [{ request, header, lines }];
      }),
    );
    const chosen = fitting[pick % fitting.length];
    // Not every string has every spelling.
    if (chosen === undefined) continue;
    const { request, header, lines } = chosen;
    all.push({
      title: `${name}: ${request.method} with ${header.name} ${JSON.stringify(lines)} for ${JSON.stringify(header.value)}`,
      request,
      lines: (each) => (each === header ? lines : [toHeader(each)]),
    });
    if (all.length === count) break;
  }
  return all;
}

async function checkDisagreeing(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('canary-http.mjs', { without });
  const all = disagreeing(without.length > 0 ? 100 : 500);
  if (without.length === 0) expect(all, 'cases').toHaveLength(500);
  const others = await findOthers(
    server.port,
    all,
    ({ status, code, id }, sent) => status === 400 && code === -32020 && id === sent,
  );
  expect(others.length, `not refused with 400 and -32020${listOf(others)}`).toBe(0);
  expect(sumOf(await countsOf(server)), `requests that were executed (seed ${SEED})`).toBe(0);
}

/** Equivalent spellings of a header, by the specification or by HTTP itself. */
const SAME: Readonly<Record<string, (header: Mirrored) => string>> = {
  'as clients write it': toHeader,
  'spaces around it': (header) => ` \t ${toHeader(header)} \t`,
  'always encoded': (header) => (header.type === 'text' ? toBase64Header(header.value) : toHeader(header)),
  'numbers with a fraction of nothing': (header) =>
    header.type === 'integer' ? `${header.value}.0` : toHeader(header),
  'numbers with zeros': (header) =>
    header.type === 'integer' ? header.value.replace(/^-?/, '$&00') : toHeader(header),
};

/** The same names in other case. */
function respelt(request: MirroredRequest, index: number): MirroredRequest {
  const spell = [
    (name: string) => name,
    (name: string) => name.toUpperCase(),
    (name: string) => name.toLowerCase(),
  ][index % 3];
  const headers = request.headers.map((header) => ({ ...header, name: spell?.(header.name) ?? header.name }));
  return { ...request, headers };
}

async function checkAgreeing(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('canary-http.mjs', { without });
  const marked = { region: '\uFEFFmarked', shard: 0, dry: false, tenant: 'a, b' };
  const drawn = [marked, ...fc.sample(ARGUMENTS, { numRuns: 29, seed: SEED })];
  const all = drawn.flatMap((args, index) =>
    Object.entries(SAME).map(([title, write]): Sent => ({
      title: `${title}: ${JSON.stringify(args)}`,
      request: respelt(routeCall(args), index),
      lines: (header) => [write(header)],
    })),
  );
  const others = await findOthers(
    server.port,
    all,
    ({ status, code }) => status === 200 && code === undefined,
  );
  expect(others.length, `not accepted${listOf(others)}`).toBe(0);
  expect(sumOf(await countsOf(server)), `requests that were executed (seed ${SEED})`).toBe(all.length);

  const named = requestsWith(marked).filter(({ counted }) => counted !== undefined);
  const encoded = named.map((request): Sent => ({
    title: `always encoded: ${request.method}`,
    request,
    lines: (header) => [header.type === 'text' ? toBase64Header(header.value) : toHeader(header)],
  }));
  const refused = await findOthers(server.port, encoded, ({ status }) => status === 200);
  expect(refused.length, `not accepted${listOf(refused)}`).toBe(0);
}

/** Node 20 drops headers behind 2000 others, and newer versions reject the request themselves. Only our own limit rejects 300. */
const FILLERS = [2000, 300];

/** Headers beyond the limit that contradict another header or the body. */
async function checkBehindMany(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('canary-http.mjs', { without });
  const request = routeCall({ region: 'eu', shard: 1, dry: false, tenant: 'a, b' });
  const fields = request.headers.map((header): Field => [header.name, toHeader(header)]);
  for (const [count, header] of FILLERS.flatMap((each) =>
    request.headers.map((header) => [each, header] as const),
  )) {
    const bytes = toBytes({
      method: 'POST',
      target: '/mcp',
      fields: [
        ['Host', `127.0.0.1:${server.port}`],
        ...JSON_FIELDS,
        ...fields,
        ...Array.from({ length: count }, (): Field => ['a', '']),
        [header.name, 'other'],
      ],
      body: JSON.stringify(modernMessage(request.method, request.params)),
    });
    const reply = await sendAlone(server.port, bytes);
    expect(reply?.status, `another ${header.name} behind ${count} headers`).toBe(431);
  }
  expect(sumOf(await countsOf(server)), 'requests that were executed').toBe(0);
}

/** An action that is hidden from the caller has an argument of the same name, and another one that would be a header. */
async function checkHidden(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('canary-http.mjs', { without });
  const ask = async (region: string, more: readonly Field[] = []): Promise<number> => {
    const call = toolCall('depot', { action: 'list', region: 'eu' });
    const fields: readonly Field[] = [
      ['Host', `127.0.0.1:${server.port}`],
      ...call.fields,
      ['Mcp-Param-Region', region],
      ...more,
    ];
    return (await sendAlone(server.port, toBytes({ ...call, fields })))?.status ?? 0;
  };
  expect(await ask('us'), 'a header that differs from the argument of a visible action').toBe(400);
  expect((await countsOf(server))['depot'] ?? 0, 'requests that were executed').toBe(0);
  expect(await ask('eu', [['Mcp-Param-Vault', 'x']]), 'a header that only a hidden action has').toBe(200);
  expect((await countsOf(server))['depot'], 'requests that were executed').toBe(1);
}

const CHECKS = 'wire/served/header-checks.js';
const RED = /not refused with 400 and -32020/;

promise('headers never disagree with the body', {
  checks: {
    'a header that contradicts the body is rejected, and nothing is executed': checkDisagreeing,
    'equivalent spellings are accepted': checkAgreeing,
    'contradicting headers beyond the limit are rejected': checkBehindMany,
    'hidden actions have no effect': checkHidden,
  },
  switches: [
    {
      defence: 'the limit of headers',
      off: [
        {
          module: 'transport/http/message/header-count.js',
          defence: 'limit-of-headers',
          by: 'return false;',
        },
      ],
      red: /behind (?:2000|300) headers/,
      check: 'contradicting headers beyond the limit are rejected',
    },
    {
      defence: 'the restriction to visible actions',
      off: [
        {
          module: 'registry/exposure/project-grouped.js',
          defence: 'headers-of-visible-actions',
          by: 'return () => arguments[1](arguments[0]);',
        },
      ],
      red: /a header that differs from the argument of a visible action/,
      check: 'hidden actions have no effect',
    },
    {
      defence: 'the check of Mcp-Method and Mcp-Name',
      off: [{ module: CHECKS, defence: 'headers-of-a-message' }],
      red: RED,
    },
    {
      defence: 'the check of header arguments',
      off: [{ module: CHECKS, defence: 'headers-of-arguments' }],
      red: RED,
    },
    {
      defence: 'the check for repeated headers',
      off: [{ module: CHECKS, defence: 'headers-in-parts', by: 'return false;' }],
      red: /in two lines/,
    },
    {
      defence: 'the handling of byte order marks',
      off: [{ module: CHECKS, defence: 'byte-order-marks', by: '{ fatal: true, ignoreBOM: false }' }],
      red: /base64 of a byte order mark and it/,
    },
    {
      defence: 'exact numbers',
      off: [{ module: CHECKS, defence: 'exact-numbers', by: '/(?:)/' }],
      red: /a number and next to nothing/,
    },
    {
      defence: 'the check of MCP-Protocol-Version',
      off: [{ module: 'wire/messages/envelope.js', defence: 'version-in-the-header' }],
      red: RED,
    },
  ],
});
