import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ToolError } from '../../../../src/errors/errors.ts';
import { createError, createSuccess } from '../../../../src/format/tool-response.ts';
import { redaction } from '../../../../src/middleware/builtin/redaction.ts';
import { answer } from '../../../../src/middleware/passed.ts';
import { chainOf } from './harness.ts';
import { refused } from '../../../support/refused.ts';

const SSN = '123-45-6789';

/** The result when a handler returns the value. */
function redact(value: unknown, paths: readonly string[] = ['user.ssn', 'users.*.token']): Promise<unknown> {
  return chainOf(() => value, [redaction({ paths })])();
}

describe('values', () => {
  test('are redacted by path, through lists, with and without the star', async () => {
    const value = {
      user: { name: 'Ada', ssn: SSN },
      users: [{ token: 'abcd' }, { token: { deep: 'efgh' } }],
      ssn: 'not at this place',
    };
    expect(await redact(value)).toEqual({
      user: { name: 'Ada', ssn: '[redacted]' },
      users: [{ token: '[redacted]' }, { token: '[redacted]' }],
      ssn: 'not at this place',
    });
    expect(await redact([{ a: 1 }, { a: 2 }], ['a'])).toEqual([{ a: '[redacted]' }, { a: '[redacted]' }]);
  });

  test('the censor can be chosen', async () => {
    const chain = chainOf(() => ({ a: 1 }), [redaction({ paths: ['a'], censor: '***' })]);
    expect(await chain()).toEqual({ a: '***' });
  });

  test('a scalar on the way to a secret is hidden, null is not, what is missing stays missing', async () => {
    expect(await redact({ user: 'Ada 123-45-6789' })).toEqual({ user: '[redacted]' });
    expect(await redact({ user: null })).toEqual({ user: null });
    expect(await redact({ user: { ssn: null } })).toEqual({ user: { ssn: '[redacted]' } });
    expect(await redact({ user: { name: 'Ada' } })).toEqual({ user: { name: 'Ada' } });
  });

  test('a word, a number or nothing passes', async () => {
    for (const value of ['Created.', 7, true, null, undefined]) expect(await redact(value)).toBe(value);
  });

  test('a text that is JSON is redacted like the value', async () => {
    expect(await redact(JSON.stringify({ user: { ssn: SSN } }))).toBe('{"user":{"ssn":"[redacted]"}}');
  });

  test('are read as JSON reads them: toJSON, instances, dates', async () => {
    class User {
      readonly ssn = SSN;
      readonly born = new Date(0);
    }
    expect(await redact({ user: new User() })).toEqual({ user: { ssn: '[redacted]', born: new Date(0) } });
    expect(await redact({ user: { toJSON: () => ({ ssn: SSN, a: 1 }) } })).toEqual({
      user: { ssn: '[redacted]', a: 1 },
    });
    const callable = Object.assign(() => 1, { toJSON: () => ({ ssn: SSN }) });
    expect(JSON.stringify(await redact({ user: callable }))).not.toContain(SSN);
  });

  test('a key named __proto__ is a key', async () => {
    const value = JSON.parse('{"user":{"ssn":"x"},"__proto__":{"polluted":1}}') as unknown;
    expect(JSON.stringify(await redact(value))).toBe(
      '{"user":{"ssn":"[redacted]"},"__proto__":{"polluted":1}}',
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('the handler’s own objects stay as they are', async () => {
    const own = { user: { ssn: SSN }, list: [{ a: 1 }] };
    const result = (await redact(own)) as typeof own;
    expect(own).toEqual({ user: { ssn: SSN }, list: [{ a: 1 }] });
    result.list.push({ a: 2 });
    expect(own.list).toHaveLength(1);
  });

  test('no secret survives, wherever it is in the data', async () => {
    const secret = fc.string({ minLength: 4, unit: 'grapheme' }).map((text) => `S3cr3t-${text}`);
    const data = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        secret,
        fc.integer(),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'token'), tie('node'), { maxKeys: 3 }),
      ),
    })).node;
    await fc.assert(
      fc.asyncProperty(data, async (value) => {
        const wrapped = { token: value, list: [{ token: value }, [{ token: value }]] };
        expect(JSON.stringify(await redact(wrapped, ['token', 'list.token']))).toBe(
          '{"token":"[redacted]","list":[{"token":"[redacted]"},[{"token":"[redacted]"}]]}',
        );
      }),
    );
  });
});

describe('results of success()', () => {
  test('keeps a text that shows nothing hidden, its format and its metadata', async () => {
    const made = createSuccess({
      value: { user: { ssn: SSN } },
      text: 'Found Ada.',
      format: 'toon',
      meta: { a: 1 },
    });
    expect(await redact(made)).toEqual(
      createSuccess({
        value: { user: { ssn: '[redacted]' } },
        text: 'Found Ada.',
        format: 'toon',
        meta: { a: 1 },
      }),
    );
  });

  test.each([
    ['a hidden value', { ssn: SSN }, `Ada has ${SSN}.`],
    ['a short one', { ssn: 7 }, 'It is 7.'],
    ['one as JSON writes it', { ssn: 'a"b' }, String.raw`{"ssn":"a\"b"}`],
    ['a date', { ssn: new Date(0) }, 'Born 1970-01-01T00:00:00.000Z.'],
    ['one below the hidden place', { ssn: { deep: [SSN] } }, `Ada has ${SSN}.`],
  ])('loses a text that shows %s', async (_, user, text) => {
    const result = (await redact(createSuccess({ value: { user }, text }))) as {
      text?: string;
      value: unknown;
    };
    expect(result.text).toBeUndefined();
    expect(result.value).toEqual({ user: { ssn: '[redacted]' } });
  });

  test('hidden values are blanked out of the metadata', async () => {
    const made = createSuccess({ value: { user: { ssn: SSN } }, meta: { data: [`see ${SSN}`] } });
    expect(await redact(made)).toMatchObject({ meta: { data: ['see [redacted]'] } });
  });
});

describe('whole results', () => {
  test('structured content and JSON texts go by path, other texts lose the hidden values', async () => {
    const result = {
      content: [
        { type: 'text', text: `Ada's number is ${SSN}, and 7 is a number.` },
        { type: 'text', text: JSON.stringify({ user: { ssn: SSN, name: 'Ada' } }) },
        { type: 'resource_link', uri: 'file:///a', name: `of ${SSN}` },
        {
          type: 'resource',
          resource: { uri: 'file:///b', text: JSON.stringify({ user: { ssn: 'other' } }) },
        },
        { type: 'resource', resource: { uri: 'file:///c', text: `again ${SSN}` } },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      ],
      structuredContent: { user: { ssn: SSN, pin: 7 } },
      _meta: { data: `also ${SSN}` },
    };
    expect(await redact(result, ['user.ssn', 'user.pin'])).toEqual({
      content: [
        { type: 'text', text: "Ada's number is [redacted], and 7 is a number." },
        { type: 'text', text: '{"user":{"ssn":"[redacted]","name":"Ada"}}' },
        { type: 'resource_link', uri: 'file:///a', name: 'of [redacted]' },
        { type: 'resource', resource: { uri: 'file:///b', text: '{"user":{"ssn":"[redacted]"}}' } },
        { type: 'resource', resource: { uri: 'file:///c', text: 'again [redacted]' } },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      ],
      structuredContent: { user: { ssn: '[redacted]', pin: '[redacted]' } },
      _meta: { data: 'also [redacted]' },
    });
  });

  test('a JSON text with nothing to hide stays as it is, to the last digit', async () => {
    const text = '{ "id": 12345678901234567890, "user": {} }';
    expect(await redact({ content: [{ type: 'text', text }] })).toEqual({
      content: [{ type: 'text', text }],
    });
  });

  test('a duplicate key in a JSON text hides nothing', async () => {
    const text = `{"user":{"ssn":"${SSN}"},"user":{}}`;
    expect(await redact({ content: [{ type: 'text', text }] })).toEqual({
      content: [{ type: 'text', text: '{"user":{}}' }],
    });
  });

  test('hidden null and empty things are hidden in JSON texts as well', async () => {
    for (const ssn of ['null', '""', '{}', '[]'])
      expect(await redact(`{"user":{"ssn":${ssn}}}`)).toBe('{"user":{"ssn":"[redacted]"}}');
  });

  test('a link or a resource whose own texts name a hidden field is not sent', async () => {
    const link = { type: 'resource_link', uri: 'a://b', name: 'Ada' };
    const resource = { type: 'resource', resource: { uri: 'a://b?ssn=123-45-6789', text: 'x' } };
    const named = [
      { ...link, uri: 'a://b?ssn=123-45-6789' },
      { ...link, name: 'ssn: 123-45-6789' },
      { ...link, title: '"ssn": "123-45-6789"' },
      { ...link, description: 'ssn=123-45-6789' },
      resource,
    ];
    const hidden = { type: 'text', text: '[redacted]' };
    expect(await redact({ content: [link, ...named] })).toEqual({
      content: [link, hidden, hidden, hidden, hidden, hidden],
    });
  });

  test('one block and a list of blocks are content too', async () => {
    const block = { type: 'text', text: `{"user":{"ssn":"${SSN}"}}` };
    const clean = { type: 'text', text: '{"user":{"ssn":"[redacted]"}}' };
    expect(await redact(block)).toEqual(clean);
    expect(await redact([block, block])).toEqual([clean, clean]);
  });

  test('data that looks like content is redacted as data as well', async () => {
    expect(await redact({ content: [{ type: 'text', text: 'secret' }] }, ['content.text'])).toEqual({
      content: [{ type: 'text', text: '[redacted]' }],
    });
  });

  test('with more hidden values than can be looked for, no text is shown', async () => {
    const users = Array.from({ length: 1100 }, (_, index) => ({ token: `token-${index}` }));
    const result = { content: [{ type: 'text', text: 'All of token-1099.' }], structuredContent: { users } };
    expect(await redact(result)).toMatchObject({ content: [{ text: '[redacted]' }] });
  });
});

describe('values that cannot be searched', () => {
  const deep = (levels: number): unknown => {
    let value: unknown = SSN;
    for (let level = 0; level < levels; level += 1) value = [value];
    return value;
  };
  const cycle: { self?: unknown; user: unknown } = { user: { ssn: SSN } };
  cycle.self = cycle;
  const thrower = (): never => {
    throw new Error(`The number is ${SSN}`);
  };

  test.each<[string, unknown]>([
    ['a getter that throws', Object.defineProperty({}, 'user', { get: thrower, enumerable: true })],
    ['a proxy that throws', new Proxy({}, { ownKeys: thrower })],
    [
      'a proxy that throws when it is asked what it is',
      new Proxy({}, { has: thrower, get: () => undefined }),
    ],
    ['a toJSON that throws', { toJSON: thrower }],
    ['a cycle', cycle],
    ['600 levels', deep(600)],
    ['100,000 levels', deep(100_000)],
    ['600 levels of JSON text', JSON.stringify(deep(600))],
    ['a success whose value throws', createSuccess({ value: { toJSON: thrower } })],
    ['metadata that throws', createSuccess({ value: 1, meta: { a: { toJSON: thrower } } })],
  ])('is not sent, and nothing is said about it: %s', async (_, value) => {
    const failure: unknown = await redact(value).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    const { message, cause, code } = failure as { message: string; cause?: unknown; code: string };
    expect([message, cause, code]).toEqual([
      'The result could not be redacted and is not sent.',
      undefined,
      'INVALID_OUTPUT',
    ]);
  });
});

describe('errors', () => {
  test('pass as they are, thrown or as a value', async () => {
    const thrown = chainOf(() => Promise.reject(new ToolError(`No ${SSN}.`)), [redaction({ paths: ['a'] })]);
    await expect(thrown()).rejects.toThrow(`No ${SSN}.`);
    const made = createError({ message: 'No.', suggestions: [] });
    expect(await redact(made)).toBe(made);
  });

  test('an answer of a middleware behind it is redacted, also one that JavaScript returned bare', async () => {
    const value = createSuccess({ value: { a: SSN } });
    for (const returned of [answer(value), value])
      expect(await chainOf(() => 1, [redaction({ paths: ['a'] }), () => returned as never])()).toEqual(
        createSuccess({ value: { a: '[redacted]' } }),
      );
  });

  test('an empty path is refused when it is made', () => {
    expect(() => redaction({ paths: [''] })).toThrow(refused('paths'));
  });
});
