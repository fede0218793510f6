import { expect } from 'vitest';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { draw, SEED } from './support/draw.ts';
import { openLegacy, writeModern } from './support/messages.ts';
import { Poster } from './support/poster.ts';
import { promise } from './support/promise.ts';
import { argumentShapes, fitting, secretPaths, withUnknown, wrong } from './support/shapes.ts';
import type { ObjectShape, Wrong } from './support/shapes.ts';
import { StdioPeer } from './support/stdio-peer.ts';

interface Tool {
  readonly name: string;
  readonly shape: ObjectShape;
  readonly secrets: readonly string[];
  readonly unknownArguments: 'strip' | 'reject';
}

const TOOLS: readonly Tool[] = draw(argumentShapes, 100).map((shape, index) => ({
  name: `tool_${index}`,
  shape,
  secrets: secretPaths(shape),
  unknownArguments: index % 4 < 2 ? 'reject' : 'strip',
}));
const ENV = { SHAPES: JSON.stringify(TOOLS) };

/** A call with invalid arguments. */
interface WrongCall extends Wrong {
  readonly name: string;
}

function wrongCalls(count: number): WrongCall[] {
  return TOOLS.flatMap(({ name, shape, unknownArguments }, index) =>
    draw(wrong(shape, unknownArguments === 'strip'), count, index).map((each) => ({ name, ...each })),
  );
}

const ALL = 'of 100 shapes, 100 wrong arguments each';

promise('wrong arguments never reach a handler', {
  checks: {
    // A few calls are enough with a defence turned off.
    [ALL]: (without) => checkStdio(wrongCalls(without.length === 0 ? 100 : 10), without),
    'over HTTP': (without) => checkHttp(wrongCalls(5), without),
    'unknown arguments are stripped': checkDropped,
  },
  switches: [
    {
      defence: 'validation',
      off: [{ module: 'schema/checks/compile-schema.js', defence: 'validation', by: 'true' }],
      red: /handlers that ran/,
    },
    {
      defence: 'the rejection of unknown arguments',
      off: [{ module: 'schema/issues/unknown-keys.js', defence: 'refusal-of-unknown-arguments' }],
      red: /handlers that ran/,
    },
    {
      defence: 'stripping of unknown arguments',
      off: [{ module: 'schema/issues/unknown-keys.js', defence: 'strip-unknown' }],
      check: 'unknown arguments are stripped',
      red: /what a handler got/,
    },
    {
      defence: 'redaction of secrets',
      off: [
        { module: 'schema/issues/secret-paths.js', defence: 'silence-about-secrets', by: 'return false;' },
      ],
      red: /answers that repeat a secret/,
    },
  ],
});

async function checkStdio(calls: readonly WrongCall[], without: readonly Weakness[]): Promise<void> {
  const peer = await StdioPeer.start('shaped-tools.mjs', { without, env: ENV, args: ['stdio'] });
  const send = async (id: number, name: string, given: unknown): Promise<void> => {
    const { body } = writeModern('tools/call', { name, arguments: given });
    await peer.write(`${body.replace('"id":1,', `"id":${id},`)}\n`);
  };
  // Valid arguments are accepted; otherwise the check would prove nothing.
  for (const [index, { name, shape }] of TOOLS.entries())
    await send(calls.length + index, name, draw(fitting(shape), 1, index)[0]);
  await peer.untilLines(TOOLS.length);
  expect(await handledBy(peer.server), 'handlers that ran with arguments that fit').toBe(100);
  for (const [index, { name, value }] of calls.entries()) await send(index, name, value);
  await peer.untilLines(TOOLS.length + calls.length);
  const lines = peer.output.toString().trim().split('\n');
  const answers = new Map(lines.map((line) => [(JSON.parse(line) as { id: number }).id, line]));
  expect((await handledBy(peer.server)) - 100, `handlers that ran with wrong arguments (seed ${SEED})`).toBe(
    0,
  );
  expectExplained(
    calls,
    calls.map((_, index) => answers.get(index) ?? ''),
  );
  expect(
    repeated(calls, () => peer.server.stderr),
    'secrets in the log',
  ).toEqual([]);
}

async function checkHttp(calls: readonly WrongCall[], without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('shaped-tools.mjs', { without, env: ENV });
  const poster = new Poster(server.port, 4);
  const writers = [writeModern, await openLegacy(poster)];
  const answers = await Promise.all(
    calls.map(async ({ name, value }, index) => {
      const write = writers[index % 2] ?? writeModern;
      const { status, text } = await poster.send(write('tools/call', { name, arguments: value }));
      expect(status, `the status of ${JSON.stringify(value)}`).toBe(200);
      return text;
    }),
  );
  expect(await handledBy(server), `handlers that ran with wrong arguments (seed ${SEED})`).toBe(0);
  expectExplained(calls, answers);
}

async function checkDropped(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('shaped-tools.mjs', { without, env: ENV });
  const poster = new Poster(server.port, 4);
  const dropping = TOOLS.filter(({ unknownArguments }) => unknownArguments === 'strip');
  const got = await Promise.all(
    dropping.flatMap(({ name, shape }, index) =>
      draw(fitting(shape), 5, index).map(async (value) => {
        const given = withUnknown(shape, value);
        const { text } = await poster.send(writeModern('tools/call', { name, arguments: given }));
        return text;
      }),
    ),
  );
  expect(await handledBy(server), 'handlers that ran').toBe(dropping.length * 5);
  expect(
    got.filter((text) => text.includes('unknown-')),
    'what a handler got',
  ).toEqual([]);
}

interface Refusal {
  readonly result?: {
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
    readonly _meta?: {
      readonly 'toolwright/error'?: { readonly code: string; readonly issues: readonly { path: unknown }[] };
    };
  };
}

function expectExplained(calls: readonly WrongCall[], answers: readonly string[]): void {
  const unexplained = calls.flatMap(({ name, value, path }, index) => {
    const { result } = JSON.parse(answers[index] ?? '{}') as Refusal;
    const { code, issues = [] } = result?._meta?.['toolwright/error'] ?? {};
    const isNamed =
      issues.some((issue) => JSON.stringify(issue.path) === JSON.stringify(path)) &&
      result?.content[0]?.text.includes(`- ${written(path)}: `) === true;
    const isRefused = result?.isError === true && code === 'INVALID_ARGUMENTS';
    return isRefused && isNamed ? [] : [{ name, value, path, answer: answers[index] }];
  });
  expect(unexplained.slice(0, 3), `answers that do not name the path (seed ${SEED})`).toEqual([]);
  expect(calls.filter(({ secrets }) => secrets.length > 0).length, 'calls with secrets').toBeGreaterThan(
    calls.length / 10,
  );
  expect(
    repeated(calls, (index) => answers[index] ?? ''),
    'answers that repeat a secret',
  ).toEqual([]);
}

function repeated(calls: readonly WrongCall[], said: (index: number) => string): object[] {
  return calls
    .flatMap(({ secrets, value }, index) => {
      const text = said(index);
      return secrets.filter((secret) => text.includes(secret)).map((secret) => ({ secret, value, text }));
    })
    .slice(0, 3);
}

function written(path: readonly (string | number)[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${key}`))
    .join('');
}

async function handledBy(server: ChildServer): Promise<number> {
  const answer = server.hear<{ handled: number }>('handled');
  server.process.send('handled');
  return (await answer).handled;
}
