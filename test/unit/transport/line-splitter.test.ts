import { describe, expect, test } from 'vitest';
import { LineSplitter } from '../../../src/transport/stdio/line-splitter.ts';

interface Line {
  readonly text?: string;
  readonly problem?: string;
}

function split(chunks: readonly (string | Uint8Array)[], maxBytes = 20): Line[] {
  const lines: Line[] = [];
  const splitter = new LineSplitter(maxBytes, {
    onText: (text) => lines.push({ text }),
    onProblem: (problem) => lines.push({ problem }),
  });
  for (const chunk of chunks) splitter.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  splitter.finish();
  return lines;
}

describe('lines', () => {
  test('end where they end, however they arrive', () => {
    expect(split(['ab', 'c\nde', '\n', 'f\ng'])).toEqual([
      { text: 'abc' },
      { text: 'de' },
      { text: 'f' },
      { text: 'g' },
    ]);
  });

  test('may end as on Windows, and empty ones are none', () => {
    expect(split(['a\r\n\r\n\nb\r\n'])).toEqual([{ text: 'a' }, { text: 'b' }]);
  });

  test('may be cut inside of a letter', () => {
    const bytes = Buffer.from('{"ä€😀"}\n');
    expect(split(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual([{ text: '{"ä€😀"}' }]);
  });

  test('of exactly the limit are read; longer ones are reported once, and the next is read', () => {
    expect(split([`${'x'.repeat(20)}\nok\n`])).toEqual([{ text: 'x'.repeat(20) }, { text: 'ok' }]);
    expect(split(['x'.repeat(15), 'x'.repeat(15), 'x'.repeat(15), '\nok\n'])).toEqual([
      { problem: 'too-long' },
      { text: 'ok' },
    ]);
    expect(split([`${'x'.repeat(21)}\nok\n`])).toEqual([{ problem: 'too-long' }, { text: 'ok' }]);
  });

  test('that are no UTF-8 are reported, and the next is read', () => {
    expect(split([Buffer.from([0xff, 0xfe, 10]), 'ok\n'])).toEqual([{ problem: 'not-utf8' }, { text: 'ok' }]);
  });
});

test('lines come with their bytes, whatever they consist of', () => {
  const seen: [string, string][] = [];
  const splitter = new LineSplitter(10_000, {
    onText: (text, bytes) => seen.push([text, Buffer.from(bytes).toString('utf8')]),
    onProblem: () => {},
  });
  splitter.push(Buffer.from('one\ntwo\n'));
  splitter.push(Buffer.from('drei ä\n'));
  expect(seen).toEqual([
    ['one', 'one'],
    ['two', 'two'],
    ['drei ä', 'drei ä'],
  ]);
});
