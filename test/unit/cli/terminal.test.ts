import { describe, expect, test } from 'vitest';
import { canWriteOver, createStatusLine } from '../../../src/cli/terminal/status-line.ts';
import { createPaint, formatJson, harmless, oneLine } from '../../../src/cli/terminal/terminal.ts';

describe('a line that is written over', () => {
  function create(columns: number | undefined): { written: string[]; show: (text: string) => void } {
    const written: string[] = [];
    const show = createStatusLine({
      write: (text) => written.push(text),
      columns: () => columns,
      paint: createPaint(false),
    });
    return { written, show };
  }

  test('takes the place of the one before, and leaves nothing', () => {
    const { written, show } = create(80);
    show('');
    show('1 of 2');
    show('2 of 2');
    show('');
    show('');
    expect(written).toEqual(['\r\u001B[K1 of 2', '\r\u001B[K2 of 2', '\r\u001B[K']);
  });

  test.each([
    ['what is too long', 10, 'a very long message', 'a very lo'],
    ['what is twice as wide', 10, '\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57', '\u6f22\u5b57\u6f22\u5b57'],
    ['what has several lines', 80, 'a\nb\tc\r\u001B[2Jd', 'a b c[2Jd'],
    ['what would be wider than most terminals', undefined, 'x'.repeat(200), 'x'.repeat(79)],
    ['what would be wider than most terminals, where the width is 0', 0, 'x'.repeat(200), 'x'.repeat(79)],
  ])('cuts %s', (_what, columns, text, shown) => {
    const { written, show } = create(columns);
    show(text);
    expect(written).toEqual([`\r\u001B[K${shown}`]);
  });

  test('is for terminals that can do it', () => {
    expect(canWriteOver({ TERM: 'xterm' })).toBe(true);
    expect(canWriteOver({})).toBe(true);
    expect(canWriteOver({ TERM: 'dumb' })).toBe(false);
  });
});

/** Moves the cursor, clears the screen, reverses the direction, or is invisible. */
const HARMFUL =
  '\u0000\u0007\u0008\u000B\u001B\u007F\u0085\u009B\u061C\u200B\u200F\u2028\u202E\u2060\u2066\u2069\uFEFF';

describe('texts of a server', () => {
  test('does nothing to a terminal', () => {
    expect(harmless(`a${HARMFUL}b\n\tc`)).toBe('ab\n\tc');
    expect(oneLine(`a${HARMFUL}b\n\tc`)).toBe('ab  c');
    expect([oneLine(5), oneLine(undefined), oneLine({ toString: 5 })]).toEqual(['', '', '']);
  });

  test('is the same in JSON, and does nothing there either', () => {
    const text = formatJson({ a: `x${HARMFUL}y`, '\u202E': ['\u00E9\u6f22'] });
    expect(text).toBe(
      `{
  "a": "x\\u0000\\u0007\\b\\u000b\\u001b\\u007f\\u0085\\u009b\\u061c\\u200b\\u200f\\u2028\\u202e\\u2060\\u2066\\u2069\\ufeffy",
  "\\u202e": [
    "\u00E9\u6f22"
  ]
}`,
    );
    expect(JSON.parse(text)).toEqual({ a: `x${HARMFUL}y`, '\u202E': ['\u00E9\u6f22'] });
  });
});
