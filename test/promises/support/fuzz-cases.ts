import * as fc from 'fast-check';
import { bases } from './fuzz-bases.ts';
import type { Base, Era } from './fuzz-bases.ts';

/** One input. Everything in it can be printed, so that a failure can be repeated. */
export type FuzzCase =
  | { readonly kind: 'mutated'; readonly base: Base; readonly mutations: readonly Mutation[] }
  | { readonly kind: 'json'; readonly era: Era; readonly text: string }
  | { readonly kind: 'bytes'; readonly era: Era; readonly bytes: readonly number[] }
  /** Raw bytes on the connection. */
  | { readonly kind: 'wire'; readonly start: string; readonly bytes: readonly number[]; readonly at: number };

/** A change of a message. */
export type Mutation =
  | {
      readonly op: 'replace' | 'remove' | 'add' | 'double' | 'rename' | 'grow' | 'id';
      /** Only in the arguments, or anywhere. */
      readonly isInside: boolean;
      readonly at: number;
      readonly key: string;
      readonly text: string;
      readonly size: number;
    }
  | { readonly op: 'bytes'; readonly way: string; readonly at: number; readonly byte: number }
  | { readonly op: 'header'; readonly at: number; readonly value: string | undefined }
  | { readonly op: 'request'; readonly method: string; readonly path: string };

/** Values of all types, with all special cases of JSON. */
const LEAVES = String.raw`
  null true false 0 -1 1.5 -0 1e308 1e999 9007199254740993 "" "x" "\u0000" "\ud800" "\u2028" "🎻" "\uFEFF" "../../etc" "=?base64?AA==?=" [] {}
  [[]] {"a":{}} "2025-11-25" "2026-07-28" "v2.x" "tools/call" {"type":"text"} ["a","a"] "%00" "\r\n"`
  .trim()
  .split(/\s+/);
/** Not JSON. */
const NO_LEAVES = ['NaN', 'undefined', "'x'", '01', '"\u0001"', '', '"', '{', ']', '1,,1', '/**/1', '"\\x"'];
const KEYS = String.raw`
  "" "x" "jsonrpc" "id" "method" "params" "name" "arguments" "_meta" "Method" "result" "error" "🎻" "\u0000" "constructor" "toString" "prototype"
  "__proto__" "progressToken" "requestState" "cursor" "then" "toJSON"`
  .trim()
  .split(/\s+/);

const texts = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...LEAVES) },
  { weight: 6, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.constantFrom(...NO_LEAVES) },
);
const keys = fc.oneof(
  fc.constantFrom(...KEYS),
  fc.string({ maxLength: 8 }).map((key) => JSON.stringify(key)),
);

const treeMutation = (isInside: boolean): fc.Arbitrary<Mutation> =>
  fc.record({
    op: fc.constantFrom(
      'replace',
      'replace',
      'remove',
      'add',
      'add',
      'double',
      'rename',
      'grow',
      isInside ? 'add' : 'id',
    ),
    isInside: fc.constant(isInside),
    at: fc.nat(10_000),
    key: keys,
    text: texts,
    size: fc.oneof(
      { weight: 40, arbitrary: fc.nat(200) },
      { weight: 4, arbitrary: fc.integer({ min: 1000, max: 60_000 }) },
      { weight: 1, arbitrary: fc.constantFrom(1_000_000, 5_000_000) },
    ),
  });

const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 30, arbitrary: treeMutation(true) },
  { weight: 10, arbitrary: treeMutation(false) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('bytes' as const),
      way: fc.constantFrom('cut', 'flip', 'insert', 'mark', 'trail', 'pad', 'list'),
      at: fc.nat(10_000),
      byte: fc.nat(255),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('header' as const),
      at: fc.nat(100),
      value: fc.option(
        fc.constantFrom('', 'x', '*/*', 'text/plain', 'gzip', '2025-03-26', '1', '\u00ff', 'a, b'),
        {
          nil: undefined,
        },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('request' as const),
      method: fc.constantFrom('GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD', 'PATCH', 'POST'),
      path: fc.constantFrom(
        '/mcp',
        '/',
        '/mcp/',
        '/mcp?x=1',
        '/MCP',
        '//mcp',
        '/sse',
        '/messages',
        '/health',
        '/%6dcp',
      ),
    }),
  },
);

const WIRE = [
  '',
  'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
];
const bytes = fc.array(fc.nat(255), { minLength: 1, maxLength: 80 });
const eras = fc.constantFrom<Era>('modern', 'legacy', 'batch');

/** Eight of ten are based on a valid message. */
export const fuzzCases: fc.Arbitrary<FuzzCase> = fc.oneof(
  {
    weight: 80,
    arbitrary: fc.record({
      kind: fc.constant('mutated' as const),
      base: bases,
      mutations: fc.oneof(
        { weight: 3, arbitrary: fc.tuple(mutations) },
        { weight: 1, arbitrary: fc.array(mutations, { minLength: 2, maxLength: 4 }) },
      ),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('json' as const),
      era: eras,
      text: fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('bytes' as const), era: eras, bytes }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wire' as const),
      start: fc.constantFrom(...WIRE),
      bytes,
      at: fc.nat(200),
    }),
  },
);
