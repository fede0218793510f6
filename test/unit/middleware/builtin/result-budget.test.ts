import { decode } from '@toon-format/toon';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createError, createSuccess, responseKind } from '../../../../src/format/tool-response.ts';
import type { SuccessResponse } from '../../../../src/format/tool-response.ts';
import { resultBudget } from '../../../../src/middleware/builtin/result-budget.ts';
import type { ShortenedDetails } from '../../../../src/middleware/texts/shortened-notice.ts';
import { chainOf } from './harness.ts';
import { refused } from '../../../support/refused.ts';

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;
const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

function fit(value: unknown, maxBytes: number, hint?: string): Promise<unknown> {
  return chainOf(() => value, [resultBudget(hint === undefined ? { maxBytes } : { maxBytes, hint })])();
}

/** A shortened value with its notice. */
async function shorten(
  value: unknown,
  maxBytes: number,
  hint?: string,
): Promise<{ value: unknown; text: string; lines: string[]; details: ShortenedDetails }> {
  const result = await fit(value, maxBytes, hint);
  expect(responseKind(result)).toBe('success');
  const { value: short, text = '', meta } = result as SuccessResponse;
  const details = meta?.['toolwright/shortened'] as ShortenedDetails;
  return { value: short, text, lines: text.split('\n'), details };
}

describe('values', () => {
  test('that fit pass as they are', async () => {
    const value = { items: range(10) };
    expect(await fit(value, 512)).toBe(value);
    const made = createSuccess({ value, text: 'Ten.', meta: { a: 1 } });
    expect(await fit(made, 512)).toBe(made);
  });

  test('lose elements from the end of their longest array, with a notice for models and programs', async () => {
    const value = { total: 1000, few: [1, 2, 3], items: range(1000).map((id) => ({ id })) };
    const { value: short, lines, details } = await shorten(value, 600, 'Use `offset` to read on.');
    const { items } = short as { items: unknown[] };
    expect(short).toEqual({ total: 1000, few: [1, 2, 3], items: value.items.slice(0, items.length) });
    expect(items.length).toBeGreaterThan(30);
    expect(lines).toEqual([
      JSON.stringify(short),
      `[Shortened from 10928 bytes to at most 600: ${items.length} of 1000 elements of items. Use \`offset\` to read on.]`,
    ]);
    expect(details).toEqual({
      bytes: 10_928,
      maxBytes: 600,
      lists: [{ path: 'items', kept: items.length, total: 1000 }],
      texts: [],
    });
  });

  test('a list of large elements goes before a list of many small ones', async () => {
    const value = { small: range(40), large: range(5).map(() => 'x'.repeat(200)) };
    const { details } = await shorten(value, 700);
    expect(details.lists).toEqual([{ path: 'large', kept: 2, total: 5 }]);
  });

  test('a list inside the only element of a list is shortened, and the element stays', async () => {
    const { value, details } = await shorten([{ name: 'a', rows: range(1000) }], 600);
    expect(value).toMatchObject([{ name: 'a' }]);
    expect(details.lists).toMatchObject([{ path: '[0].rows', total: 1000 }]);
  });

  test('texts are cut only where lists do not suffice, and never within a pair', async () => {
    const { value, details } = await shorten({ body: '👍'.repeat(1000), tags: ['a', 'b'] }, 600);
    const { body, tags } = value as { body: string; tags: string[] };
    expect(tags).toEqual(['a', 'b']);
    expect(body).toMatch(/^(?:👍)+…$/u);
    expect(details).toMatchObject({
      lists: [],
      texts: [{ path: 'body', kept: body.length - 1, total: 2000 }],
    });
  });

  test('a value without arrays or strings to cut is rejected', async () => {
    const value = Object.fromEntries(range(200).map((key) => [`key${key}`, key]));
    await expect(fit(value, 512, 'Ask for fewer fields.')).rejects.toMatchObject({
      code: 'RESULT_TOO_LARGE',
      message:
        "The result of 'things' is too large: it cannot be shortened to the limit of 512 bytes. Request a smaller part of it.",
      suggestions: ['Ask for fewer fields.'],
    });
  });

  test('a value without a JSON form is left to the pipeline, which reports it', async () => {
    const value = { a: 1n };
    expect(await fit(value, 512)).toBe(value);
    expect(await fit(undefined, 512)).toBeUndefined();
  });

  test('at most twenty parts are named, and three of them in words', async () => {
    const value = range(30).map(() => range(100));
    const { details, lines } = await shorten(
      { a: Object.fromEntries(value.map((list, key) => [`k${key}`, list])) },
      2000,
    );
    expect([details.lists.length, details.unnamed]).toEqual([20, 10]);
    expect(lines.at(-1)).toMatch(/elements of a\.k2 and 27 more\.\]$/);
  });

  test('whatever comes: it fits or is refused, stays JSON, and every list is a start of the original', async () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.string({ maxLength: 100, unit: 'grapheme' }),
        fc.string({ maxLength: 100, unit: 'binary' }),
        fc.double(),
        fc.constantFrom(null, true),
        fc.array(tie('tree'), { maxLength: 12 }),
        fc.dictionary(fc.string({ maxLength: 6 }), tie('tree'), { maxKeys: 4 }),
      ),
    }));
    let shortened = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(tree, { minLength: 10, maxLength: 30 }),
        fc.integer({ min: 512, max: 1500 }),
        async (value, maxBytes) => {
          const original = JSON.parse(JSON.stringify(value)) as unknown;
          const result = await fit(value, maxBytes);
          if (result === value) {
            expect(bytesOf(JSON.stringify(value))).toBeLessThanOrEqual(maxBytes);
            return;
          }
          shortened += 1;
          const { value: short, text = '' } = result as SuccessResponse;
          expect(bytesOf(text)).toBeLessThanOrEqual(maxBytes);
          expect(bytesOf(JSON.stringify(short))).toBeLessThanOrEqual(maxBytes);
          expect(JSON.parse(text.slice(0, text.lastIndexOf('\n')))).toEqual(short);
          expectStartOf(short, original);
        },
      ),
      // Shrinking such trees takes minutes.
      { numRuns: 100, endOnFailure: true },
    );
    expect(shortened).toBeGreaterThan(30);
  });
});

function expectStartOf(short: unknown, original: unknown): void {
  if (Array.isArray(short)) {
    expect(Array.isArray(original)).toBe(true);
    expect(short.length).toBeLessThanOrEqual((original as unknown[]).length);
    for (const [index, element] of short.entries()) expectStartOf(element, (original as unknown[])[index]);
  } else if (typeof short === 'object' && short !== null) {
    expect(Object.keys(short)).toEqual(Object.keys(original as object));
    for (const [key, member] of Object.entries(short))
      expectStartOf(member, (original as Record<string, unknown>)[key]);
  } else if (typeof short === 'string' && short !== original) {
    const kept = short.slice(0, -1);
    expect([short.endsWith('…'), (original as string).startsWith(kept)]).toEqual([true, true]);
    // Not within a surrogate pair: the rest of the original does not begin with a low surrogate.
    const isSplit =
      /[\ud800-\udbff]$/.test(kept) && /^[\udc00-\udfff]/.test((original as string).slice(kept.length));
    expect(isSplit).toBe(false);
  } else expect(short).toEqual(original);
}

describe('texts', () => {
  test('a plain text is cut', async () => {
    const { value, lines, details } = await shorten('é'.repeat(1000), 512);
    expect(value).toMatch(/^é+…$/);
    expect(lines[0]).toBe(value);
    expect(details.texts).toMatchObject([{ path: '', total: 1000 }]);
    expect(bytesOf(lines.join('\n'))).toBeLessThanOrEqual(512);
  });

  test('a JSON text stays a JSON text', async () => {
    const { value } = await shorten(JSON.stringify(range(1000)), 512);
    const list = JSON.parse(value as string) as number[];
    expect(list).toEqual(range(list.length));
  });

  test('the text of a success is kept where it fits, cut where not', async () => {
    const long = await shorten(createSuccess({ value: range(1000), text: 'Many.' }), 512);
    expect(long.lines[0]).toBe('Many.');
    const { value, lines } = await shorten(createSuccess({ value: [1], text: 'word '.repeat(200) }), 512);
    expect(value).toEqual([1]);
    expect(lines[0]).toMatch(/^(word )+w?o?r?d?…$/);
  });

  test('TOON stays TOON, metadata stays', async () => {
    const rows = range(500).map((id) => ({ id, title: `Note ${id}` }));
    const result = (await fit(
      createSuccess({ value: rows, format: 'toon', meta: { a: 1 } }),
      2000,
    )) as SuccessResponse;
    const { text = '', value, format, meta } = result;
    expect([format, meta?.['a']]).toEqual(['toon', 1]);
    expect(decode(text.slice(0, text.lastIndexOf('\n')))).toEqual(value);
    expect(bytesOf(text)).toBeLessThanOrEqual(2000);
    expect((value as unknown[]).length).toBeGreaterThan(50);
  });
});

describe('whole results', () => {
  test('structured content and JSON texts are shortened, and the notice is a block of its own', async () => {
    const result = {
      content: [
        { type: 'text', text: JSON.stringify({ rows: range(1000) }) },
        { type: 'text', text: 'short' },
      ],
      structuredContent: { rows: range(1000) },
      _meta: { a: 1 },
    };
    const short = (await fit(result, 600)) as typeof result & { _meta: Record<string, unknown> };
    expect(bytesOf(JSON.stringify(short.structuredContent))).toBeLessThanOrEqual(600);
    expect(short.structuredContent.rows).toEqual(range(short.structuredContent.rows.length));
    const { rows } = JSON.parse(short.content[0]?.text ?? '') as { rows: number[] };
    expect(rows).toEqual(range(rows.length));
    expect(short.content[1]?.text).toBe('short');
    expect(short.content[2]?.text).toMatch(
      /^\[Shortened from 3905 bytes to at most 600: \d+ of 1000 elements of structuredContent\.rows, /,
    );
    expect(short.content.reduce((total, { text }) => total + bytesOf(text), 0)).toBeLessThanOrEqual(600);
    expect(short._meta).toMatchObject({
      a: 1,
      'toolwright/shortened': {
        lists: [{ path: 'structuredContent.rows' }, { path: 'content[0].rows', total: 1000 }],
      },
    });
  });

  test('many texts lose the last ones rather than all their words', async () => {
    const blocks = range(100).map((index) => ({ type: 'text', text: `${index} ${'word '.repeat(100)}` }));
    const { content } = (await fit(blocks, 1000)) as { content: { text: string }[] };
    expect(content.length).toBeLessThan(6);
    expect(content.at(-1)?.text).toMatch(/of 100 elements of content/);
    expect(content[0]?.text.length).toBeGreaterThan(150);
  });

  test('an image that is too large is refused, one that follows a text is left out and named', async () => {
    const image = { type: 'image', data: 'aaaa'.repeat(500), mimeType: 'image/png' };
    await expect(fit(image, 600)).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
    const { content } = (await fit([{ type: 'text', text: 'Look:' }, image], 600)) as {
      content: { text: string }[];
    };
    expect(content.map(({ text }) => text)).toEqual([
      'Look:',
      '[Shortened from 2054 bytes to at most 600: 1 of 2 elements of content.]',
    ]);
  });

  test('failures pass: they are not results', async () => {
    const made = createError({ message: 'x'.repeat(1000), suggestions: [] });
    expect(await fit(made, 512)).toBe(made);
  });
});

describe('options', () => {
  test('a budget too small for a notice, or a hint too large for the budget, is refused when it is made', () => {
    expect(() => resultBudget({ maxBytes: 511 })).toThrow(
      'resultBudget: maxBytes must be an integer of at least 512',
    );
    expect(() => resultBudget({ maxBytes: 512, hint: 'x'.repeat(129) })).toThrow(refused('hint'));
  });
});
