import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMore } from '../../../../src/openapi/response/read-response.ts';
import type { ResponseOptions } from '../../../../src/openapi/response/read-response.ts';
import { RemainderStore } from '../../../../src/openapi/response/model/remainder-store.ts';
import type { McpCallToolResult } from '../../../../src/model/mcp-types.ts';
import type { OutboundAnswer } from '../../../../src/outbound/outbound-client.ts';
import { answer, json, options, readResult, textsOf, tokenOf } from './support.ts';
import { PagingParameters } from '../../../../src/openapi/response/pagination/pagination-input.ts';

/** All parts of a response, including the first. */
function readAll(given: OutboundAnswer, changes: Partial<ResponseOptions> = {}): McpCallToolResult[] {
  const all = options(changes);
  const parts = [readResult(given, all)];
  for (let token = tokenOf(parts[0] ?? { content: [] }); token !== undefined;) {
    const part = readMore(token, all);
    expect(part.isError).toBeUndefined();
    parts.push(part);
    token = tokenOf(part);
  }
  return parts;
}

function firstTexts(parts: readonly McpCallToolResult[]): string[] {
  return parts.map((part) => textsOf(part)[0] ?? '');
}

/** Without the random token. */
function closing(part: McpCallToolResult | undefined): string {
  const text = part === undefined ? '' : (textsOf(part)[1] ?? '');
  return text.replaceAll(/[\da-f]{32}/g, '<id>');
}

describe('a long list', () => {
  const list = [1, 2, 3, 4, 5, 6, 7].map((id) => ({ id }));

  test('is returned in whole elements, with the arguments of the next part', () => {
    const parts = readAll(json(list), { maxChars: 30 });
    expect(firstTexts(parts)).toEqual([
      '[{"id":1},{"id":2},{"id":3}]',
      '[{"id":4},{"id":5},{"id":6}]',
      '[{"id":7}]',
    ]);
    expect(parts.map(closing)).toEqual([
      'Shown: elements 1–3 of 7. Call this tool again with the same arguments and "continue_from": "<id>.3" for the next part.',
      'Shown: elements 4–6 of 7. Call this tool again with the same arguments and "continue_from": "<id>.6" for the next part.',
      'Shown: elements 7–7 of 7. That is all.',
    ]);
  });

  test('in an object keeps the other members in the first part', () => {
    const parts = readAll(json({ total: 7, items: list, ok: true }), { maxChars: 55 });
    expect(firstTexts(parts)).toEqual([
      '{"total":7,"items":[{"id":1},{"id":2}],"ok":true}',
      '{"items":[{"id":3},{"id":4},{"id":5},{"id":6}]}',
      '{"items":[{"id":7}]}',
    ]);
  });

  test('is found below other members', () => {
    const parts = readAll(json({ data: { page: { items: list }, n: 1 } }), { maxChars: 60 });
    expect(firstTexts(parts)).toEqual([
      '{"data":{"page":{"items":[{"id":1},{"id":2}]},"n":1}}',
      '{"data":{"page":{"items":[{"id":3},{"id":4},{"id":5}]}}}',
      '{"data":{"page":{"items":[{"id":6},{"id":7}]}}}',
    ]);
  });

  test('may be behind a name that every object has', () => {
    const parts = readAll(json('{"__proto__":[1111,2222,3333]}'), { maxChars: 25 });
    expect(firstTexts(parts)).toEqual(['{"__proto__":[1111,2222]}', '{"__proto__":[3333]}']);
  });

  test('has structured content to match, part by part', () => {
    const parts = readAll(json({ total: 3, items: ['aaaa', 'bbbb', 'cccc'] }), {
      maxChars: 40,
      structured: true,
    });
    expect(parts.map(({ structuredContent }) => structuredContent)).toEqual([
      { total: 3, items: ['aaaa', 'bbbb'] },
      { items: ['cccc'] },
    ]);
    const bare = readAll(json(['aaaa', 'bbbb']), { maxChars: 9, structured: true });
    expect(bare.map(({ structuredContent }) => structuredContent)).toEqual([
      { result: ['aaaa'] },
      { result: ['bbbb'] },
    ]);
  });

  test('returns an element that is too long as text, and continues', () => {
    const parts = readAll(json([1, 2, 'x'.repeat(25), 3]), { maxChars: 12 });
    expect(firstTexts(parts)).toEqual(['[1,2]', `"${'x'.repeat(11)}`, 'x'.repeat(12), 'xx"', '[3]']);
    expect(parts.map(closing)[1]).toBe(
      'Shown: characters 1–12 of 27 of element 3 of 4. Call this tool again with the same arguments and "continue_from": "<id>.2.12" for the next part.',
    );
  });

  test('whose first element is too long is shown as text', () => {
    const parts = readAll(json(['x'.repeat(20), 1]), { maxChars: 10 });
    expect(firstTexts(parts).join('')).toBe(`["${'x'.repeat(20)}",1]`);
  });

  test('keeps numbers that no number of JavaScript holds', () => {
    const parts = readAll(json('[9007199254740993,9007199254740995]'), { maxChars: 20 });
    expect(firstTexts(parts)).toEqual(['[9007199254740993]', '[9007199254740995]']);
  });

  test('gives each element exactly once', () => {
    const element = fc.oneof(
      fc.string({ maxLength: 60, unit: 'grapheme' }),
      fc.record({ id: fc.integer(), text: fc.string({ maxLength: 80, unit: 'binary' }) }),
      fc.array(fc.integer(), { maxLength: 5 }),
    );
    const wrapped = fc.constantFrom(
      (list: unknown) => list,
      (list: unknown) => ({ total: 3, items: list }),
      (list: unknown) => ({ data: { 'a"b': list } }),
    );
    fc.assert(
      fc.property(
        fc.array(element, { maxLength: 40 }),
        wrapped,
        fc.integer({ min: 1, max: 200 }),
        (items, wrap, maxChars) => {
          const parts = readAll(json(wrap(items)), { maxChars });
          expect(firstTexts(parts).every((text) => text.length <= Math.max(2, maxChars))).toBe(true);
          expect(joinParts(parts)).toEqual(items);
        },
      ),
      { numRuns: 100 },
    );
  });
});

/** All elements of all parts; parts that were cut as text are joined first. */
function joinParts(parts: readonly McpCallToolResult[]): unknown[] {
  const found: unknown[] = [];
  let open = '';
  for (const part of parts) {
    const [text = '', note = ''] = textsOf(part);
    const [, , end, total, of] =
      /^Shown: characters ([\d,]+)\u2013([\d,]+) of ([\d,]+)( of element)?/.exec(note) ?? [];
    if (end === undefined) found.push(...listIn(JSON.parse(text)));
    else {
      open += text;
      if (end !== total) continue;
      const value: unknown = JSON.parse(open);
      found.push(...(of === undefined ? listIn(value) : [value]));
      open = '';
    }
  }
  expect(open).toBe('');
  return found;
}

function listIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  const { items, data } = value as { items?: unknown[]; data?: Record<string, unknown[]> };
  return items ?? data?.['a"b'] ?? [];
}

describe('a long text', () => {
  const plain = { 'content-type': 'text/plain' };

  test('is cut at the ends of lines, where there are some', () => {
    const parts = readAll(answer(200, plain, 'one\ntwo two\nthree three three three\nfour'), {
      maxChars: 15,
    });
    expect(firstTexts(parts)).toEqual(['one\ntwo two\n', 'three three thr', 'ee three\nfour']);
    expect(parts.map(closing)).toEqual([
      'Shown: characters 1–12 of 40. Call this tool again with the same arguments and "continue_from": "<id>.0.12" for the next part.',
      'Shown: characters 13–27 of 40. Call this tool again with the same arguments and "continue_from": "<id>.0.27" for the next part.',
      'Shown: characters 28–40 of 40. That is all.',
    ]);
  });

  test('is never cut inside a character', () => {
    const parts = readAll(answer(200, plain, '\u{1f600}'.repeat(4)), { maxChars: 3 });
    expect(firstTexts(parts)).toEqual(['\u{1f600}', '\u{1f600}', '\u{1f600}', '\u{1f600}']);
    expect(firstTexts(readAll(answer(200, plain, '\u{1f600}'.repeat(2)), { maxChars: 1 }))).toHaveLength(2);
  });

  test('of JSON without a list is cut as text', () => {
    const body = { text: 'x'.repeat(50) };
    const parts = readAll(json(body), { maxChars: 40, structured: true });
    expect(firstTexts(parts).join('')).toBe(JSON.stringify(body));
    expect(parts[1]?.structuredContent).toEqual({ result: firstTexts(parts)[1] });
  });

  test('as long as the budget is not cut', () => {
    const given = answer(200, plain, 'x'.repeat(100));
    expect(readAll(given, { maxChars: 100 })).toEqual([
      { content: [{ type: 'text', text: 'x'.repeat(100) }] },
    ]);
  });

  test('is given back exactly once', () => {
    const text = fc.array(fc.constantFrom('a', '\n', '\u{1f600}', '\u00e9', 'bc'), { maxLength: 300 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 50 }), (pieces, maxChars) => {
        const whole = `x${pieces.join('')}`;
        const parts = firstTexts(readAll(answer(200, plain, whole), { maxChars }));
        expect(parts.join('')).toBe(whole);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(Math.max(2, maxChars));
          // Lone surrogates would become replacement characters.
          expect(Buffer.from(part).toString()).toBe(part);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('going on', () => {
  test('with one token gives the same part each time', () => {
    const all = options({ maxChars: 10 });
    const token = tokenOf(readResult(json([1, 2, 3, 4, 5, 6, 7, 8, 9]), all)) ?? '';
    expect(readMore(token, all)).toEqual(readMore(token, all));
    expect(textsOf(readMore(token, all))[0]).toBe('[5,6,7,8]');
  });

  test('does not advise to repeat a request that changes something', () => {
    const [text = ''] = textsOf(readMore('x', options({ what: 'POST /pets' })));
    expect(text).toBe(
      'Unknown or expired "continue_from". Without "continue_from", this tool sends its request again: call it only if that may happen twice.',
    );
  });

  test('is for the owner and the tool alone; others get what an unknown token gets', () => {
    const all = options({ maxChars: 10, owner: 'ann' });
    const token = tokenOf(readResult(json([11, 12, 13, 14, 15]), all)) ?? '';
    const unknown = {
      content: [
        {
          type: 'text',
          text: 'Unknown or expired "continue_from". Call this tool again with the same arguments, without "continue_from".',
        },
      ],
      isError: true,
      _meta: { 'toolwright/error': { code: 'TOOL_ERROR' } },
    };
    for (const owner of ['bob', '']) expect(readMore(token, { ...all, owner })).toEqual(unknown);
    expect(readMore(token, { ...all, what: 'GET /others' })).toEqual(unknown);
    for (const wrong of [
      '',
      'x',
      `${token}9999`,
      token.replace(/\..*/, ''),
      `${token}.1.1`,
      'a'.repeat(10_000),
    ])
      expect(readMore(wrong, all)).toEqual(unknown);
    expect(readMore(token, all).isError).toBeUndefined();
  });

  test('offers the next page again behind the last part', () => {
    const pagination = {
      arguments: { page: 1 },
      parameters: new PagingParameters([{ argument: 'page', name: 'page' }]),
    };
    const parts = readAll(json([1, 2, 3, 4, 5, 6], { link: '</x?page=2>; rel=next' }), {
      maxChars: 6,
      pagination,
    });
    const next = 'More results: call this tool again with {"page":2} and the other arguments as before.';
    expect(parts.map((part) => closing(part).includes(next))).toEqual([true, false, true]);
    expect(parts.map(({ _meta: meta }) => meta?.['toolwright/next'])).toEqual([
      { page: 2 },
      undefined,
      { page: 2 },
    ]);
  });

  test('is not offered for what is too large to be kept', () => {
    const remainders = new RemainderStore({ maxBytes: 100 });
    const result = readResult(json(Array(100).fill(1)), options({ maxChars: 10, remainders }));
    expect(textsOf(result)).toEqual([
      '[1,1,1,1]',
      'Shown: elements 1–4 of 100. The rest is too large to be kept: request less.',
    ]);
    expect(result._meta).toBeUndefined();
  });
});

describe('JSON of many values', () => {
  const hint =
    'The response has more than 100,000 JSON values, so it is shown as unchanged text. Ask for less: narrow the filters, or ask for smaller pages or fewer fields.';

  test('is not parsed above 100,000 of them', () => {
    const parts = readAll(json(`[${'1, '.repeat(99_999)}1]`), { maxChars: 200_000 });
    expect(firstTexts(parts).map((text) => text.slice(0, 8))).toEqual(['[1, 1, 1', ', 1, 1, ']);
    expect(closing(parts[0])).toBe(
      `Shown: characters 1–200,000 of 300,000. Call this tool again with the same arguments and "continue_from": "<id>.0.200000" for the next part.\n${hint}`,
    );
  });

  test('is parsed up to that', () => {
    const part = readResult(json(`[${'1, '.repeat(99_997)}1]`), options({ maxChars: 200_000 }));
    expect(textsOf(part).map(({ length }) => length)).toEqual([199_997]);
  });

  test('hides what must not be shown, and commas in strings are no values', () => {
    const hide = (text: string): string => text.replaceAll('secret', '***');
    const many = readResult(json(`["secret"${',{}'.repeat(60_000)}]`), options({ maxChars: 20, hide }));
    expect(textsOf(many)[0]).toBe('["***",{},{},{},{},{');
    const one = readResult(json({ text: ','.repeat(200_000) }), options({ maxChars: 300_000 }));
    expect(textsOf(one)).toHaveLength(1);
  });

  test('of an error is shown as text, too', () => {
    const body = `[${'{},'.repeat(60_000)}{}]`;
    const result = readResult(answer(400, { 'content-type': 'application/json' }, body), options());
    expect(textsOf(result)[0]).toMatch(
      /^GET \/pets\/\{id\} responded with status 400 Bad Request: \[\{\},\{\},/,
    );
    expect(result.isError).toBe(true);
  });
});
