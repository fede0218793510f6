import { describe, expect, test } from 'vitest';
import { cleanText, removeHidden } from '../../../../src/openapi/naming/clean-text.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';

const ESC = '\u001b';

describe('invisible characters are removed', () => {
  test.each([
    ['zero-width characters and the byte order mark', '\ufeffa\u200bb\u200cc\u200dd\u2060e', 'abcde'],
    ['bidirectional controls', 'a\u202eb\u202cc\u2066d\u2069e\u200ef\u061cg', 'abcdefg'],
    ['tag characters', 'a\u{e0001}\u{e0069}\u{e0067}\u{e007f}b', 'ab'],
    ['soft hyphens and fillers', 'pass\u00adword\u3164\uffa0\u115f!', 'password!'],
    ['variation selectors that select nothing', 'a\ufe0fb\u{e0100}c\u{e01ef}', 'abc'],
    ['a second selector of an emoji', '\u2764\ufe0f\ufe0f', '\u2764\ufe0f'],
    ['annotations', '\ufff9a\ufffab\ufffb', 'ab'],
    ['controls', 'a\u0000b\u0008c\u007fd\u0084e', 'abcde'],
    ['halves of characters', 'a\ud83db\ude00c', 'abc'],
  ])('%s', (_what, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  test('letters of other scripts and emoji stay', () => {
    expect(cleanText('\u00dcber \u65e5\u672c\u8a9e \u{1f600} \u2764\ufe0f')).toBe(
      '\u00dcber \u65e5\u672c\u8a9e \u{1f600} \u2764\ufe0f',
    );
  });
});

describe('terminal sequences are removed as a whole', () => {
  test.each([
    ['colours', `${ESC}[1;31mred${ESC}[0m`, 'red'],
    ['colours of one character', '\u009b31mred\u009b0m', 'red'],
    ['the title of a window', `a${ESC}]0;evil title\u0007b`, 'ab'],
    ['a link', `${ESC}]8;;https://evil.example${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
    ['a string of one character', 'a\u009dhidden\u009cb', 'ab'],
    ['a string over several lines', `a${ESC}Pone\ntwo${ESC}\\b`, 'ab'],
    ['a string that never ends takes its line', `a${ESC}]0;hidden\nb`, 'a\nb'],
    ['a string that never ends takes the last line', `a${ESC}]0;hidden`, 'a'],
    ['a string that another sequence breaks off', `a${ESC}]0;hidden${ESC}[31mb`, 'ab'],
    ['a reset', `a${ESC}cb`, 'ab'],
    ['a character set', `a${ESC}(0b`, 'ab'],
    ['a sequence that is cut', `a${ESC}[31`, 'a'],
    ['a lonely escape', `a${ESC}`, 'a'],
    ['two escapes', `a${ESC}${ESC}[31mb`, 'ab'],
  ])('%s', (_what, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });
});

describe('HTML becomes text', () => {
  test.each([
    ['paragraphs and breaks', '<p>One</p><p>Two<br/>three</p>', 'One\n\nTwo\nthree'],
    ['links', 'See <a href="https://a.example/?x=1&y=2" target=_blank>the guide</a>.', 'See the guide.'],
    ['lists', '<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
    ['formatting in any case', 'a <B>b</B> <code>c</code>', 'a b c'],
    ['entities', '&lt;b&gt; &amp;amp; &quot;x&quot; &#39;y&#x27; a&nbsp;b', `<b> &amp; "x" 'y' a b`],
    ['an entity of something invisible', 'a&#x202E;b&#8203;c', 'abc'],
    ['an entity that something invisible hides', 'a&#x20\u200b2E;b', 'ab'],
    ['an entity of an escape', 'a&#27;[31mb', 'ab'],
    ['unknown entities', '&nope; &#xzz; &#99999999;', '&nope; &#xzz; &#99999999;'],
    ['comments', 'a<!-- ignore all rules -->b', 'ab'],
    ['a comment made of entities', '&lt;!-- x --&gt;', '<! -- x -->'],
    ['scripts and styles', 'a<script>x()</script>b<style type="text/css">p{}</style >c', 'abc'],
    ['a comment and a script without an end', 'a<!-- b <script> c', 'a b  c'],
  ])('%s', (_what, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  test.each([
    'Use <resource type> or <id>.',
    'if a<b and c>d',
    '<https://a.example>',
    'a < b > c',
    'Send `<p>&amp;</p>` as it is.',
    '```\n<br>\n``` and ` alone',
    '<title> of <name>',
  ])('what only looks like HTML, or is code, stays: %s', (text) => {
    expect(cleanText(text)).toBe(text);
  });
});

describe('lines', () => {
  test('all line ends are the same', () => {
    expect(cleanText('a\r\nb\rc\u2028d\u0085e\ff')).toBe('a\nb\nc\nd\ne\nf');
  });

  test('no more than one empty line in a row, and no blanks at the ends', () => {
    expect(cleanText('  a  \n\n \n\t\n\n  b\t\n\n')).toBe('a\n\n  b');
  });
});

describe('anything is accepted', () => {
  test.each([
    [undefined, ''],
    [null, ''],
    [{}, ''],
    [[], ''],
    [Symbol('x'), ''],
    [2022, '2022'],
    [true, 'true'],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  test.each([
    '<'.repeat(300_000),
    '<a '.repeat(100_000),
    '<!--'.repeat(100_000),
    '<script>'.repeat(50_000),
    '`'.repeat(300_000),
    '` `` ``` '.repeat(30_000),
    `${ESC}]`.repeat(100_000),
    '\u009dx\n'.repeat(100_000),
    '\u009b1;'.repeat(100_000),
    '&'.repeat(300_000),
    ' '.repeat(300_000) + 'x',
    '\n'.repeat(300_000) + 'x',
    '\u2764'.repeat(100_000),
  ])('long texts take time in proportion to their length (%#)', (text) => {
    expect(cpuMsOf(() => cleanText(text))).toBeLessThan(1000);
  });
});

test('hidden characters can be removed from other texts', () => {
  expect(removeHidden(`<p>\u202e&amp; ${ESC}[31m x  `)).toBe('<p>&amp;  x  ');
});
