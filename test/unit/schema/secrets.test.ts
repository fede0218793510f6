import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { formatIssue } from '../../../src/errors/issue.ts';
import type { Issue } from '../../../src/errors/issue.ts';
import { compileInput, run, validate } from './compile.ts';
import { SECRET_SCHEMAS } from './libraries.ts';
import { unknownArgument } from '../../support/refused.ts';

const SECRETS = ['password', 'pin', 'card.number', 'users.*.token', 'either'];

/** Everything that a client could read of a failed validation. */
function everythingIn(result: { ok: boolean; issues?: readonly Issue[] }): string {
  const issues = result.issues ?? [];
  return issues.map((issue) => `${JSON.stringify(issue)}\n${formatIssue(issue)}`).join('\n');
}

/** Text that no message contains, with characters that libraries escape. */
const secretText = fc
  .tuple(
    fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
    fc.constantFrom('', '"', '\n', '\\', ' '),
  )
  .map(([text, odd]) => `S3cr3t-${odd}${text}-${odd}0k`);

describe.each(Object.entries(SECRET_SCHEMAS))('secrets in %s', (_, schema) => {
  const compiled = compileInput(schema, { secrets: SECRETS });

  test('no issue ever contains a secret, at any position and for any mistake', () => {
    fc.assert(
      fc.property(
        secretText,
        fc.integer({ min: 1_000_000, max: 2_000_000_000 }),
        fc.boolean(),
        (secret, pin, isNested) => {
          const result = validate(compiled, {
            password: secret,
            pin,
            card: { number: secret },
            users: [{ token: secret }, { token: `${secret}2` }],
            either: isNested ? { deep: secret } : secret,
            note: `my password is ${secret}, my pin ${pin}`,
          });
          expect(result.ok).toBe(false);
          const text = everythingIn(result);
          expect(text).not.toContain('S3cr3t');
          expect(text).not.toContain(secret);
          expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
          expect(text).not.toContain(String(pin));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('no issue contains a secret that was sent with the wrong type or in the wrong place', () => {
    const wrong: unknown[] = [
      { password: { inner: 'S3cr3t' }, pin: 'S3cr3t', card: 'S3cr3t', users: 'S3cr3t', either: ['S3cr3t'] },
      { password: ['S3cr3t'], pin: ['S3cr3t'], card: ['S3cr3t'], users: ['S3cr3t'], either: 'S3cr3t' },
      { card: '{"number":"S3cr3t"}', users: { token: 'S3cr3t' }, password: 17, pin: 'S3cr3t' },
      { users: [{ token: { a: { b: ['S3cr3t'] } } }], card: { number: { a: 'S3cr3t' } } },
      'S3cr3t',
      ['S3cr3t'],
    ];
    for (const value of wrong) {
      const result = validate(compiled, value);
      expect(result.ok).toBe(false);
      expect(everythingIn(result)).not.toContain('S3cr3t');
    }
  });

  test('a secret stays hidden when the JSON text it came in was repaired', () => {
    const repairing = compileInput(schema, { secrets: SECRETS, repair: true });
    const result = validate(repairing, {
      card: '{"number":"S3cr3t"}',
      users: '[{"token":"S3cr3t"}]',
      pin: '12345678',
      either: '{"deep":"S3cr3t"}',
      password: 'S3cr3t',
    });
    expect(result.ok).toBe(false);
    expect(everythingIn(result)).not.toContain('S3cr3t');
    expect(everythingIn(result)).not.toContain('12345678');
  });
});

describe('reports of secrets', () => {
  test('the path and what is expected stay, the message and the value go', () => {
    const schema = z.object({ password: z.string().min(12) });
    expect(run(schema, { password: 'hunter2' }, { secrets: ['password'] })).toEqual({
      ok: false,
      issues: [
        {
          path: ['password'],
          message: 'is not valid',
          expected: 'string of at least 12 characters',
          received: 'a value that is not shown',
        },
      ],
    });
  });

  test('a secret that is missing may be called missing', () => {
    const result = run(z.object({ password: z.string() }), {}, { secrets: ['password'] });
    expect(result).toMatchObject({ issues: [{ path: ['password'], received: 'nothing' }] });
  });

  test('a message about the whole input is blanked where it quotes the secret', () => {
    const schema = type({ user: 'string', password: 'string' }).narrow((_, context) =>
      context.mustBe('a known user'),
    );
    const result = run(schema, { user: 'ada', password: 'hun"ter2' }, { secrets: ['password'] });
    expect(result.ok ? [] : result.issues).toEqual([
      {
        path: [],
        message: 'must be a known user (was {"user":"ada","password":"[redacted]"})',
        expected: 'object',
        received: 'an object with 2 keys',
      },
    ]);
  });

  test('a secret repeated in an ordinary field is blanked before the field is cut short', () => {
    const secret = 'hunter2-'.repeat(20);
    const schema = toStandardJsonSchema(v.object({ password: v.string(), note: v.number() }));
    const result = run(schema, { password: secret, note: `pw: ${secret}` }, { secrets: ['password'] });
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(result).toMatchObject({ issues: [{ path: ['note'], received: '"pw: [redacted]" (string)' }] });
  });

  test('a star stands for every key, and indexes may be left out', () => {
    const schema = {
      type: 'object',
      properties: {
        byName: { additionalProperties: { properties: { token: { type: 'number' } } } },
        list: { items: { items: { properties: { token: { type: 'number' } } } } },
      },
    };
    const secrets = ['byName.*.token', 'list.token'];
    const result = run(
      schema,
      { byName: { ada: { token: 'S3cr3t' } }, list: [[{ token: 'S3cr3t' }]] },
      { secrets },
    );
    expect(result.ok ? [] : result.issues.map((issue) => issue.path)).toEqual([
      ['byName', 'ada', 'token'],
      ['list', 0, 0, 'token'],
    ]);
    expect(JSON.stringify(result)).not.toContain('S3cr3t');
  });

  test('a star may also be skipped over by an index', () => {
    const schema = {
      type: 'object',
      properties: { list: { items: { additionalProperties: { type: 'number' } } } },
    };
    const result = run(schema, { list: [{ key: 'S3cr3t' }] }, { secrets: ['list.*'] });
    expect(JSON.stringify(result)).not.toContain('S3cr3t');
  });

  test('values beside a secret are shown', () => {
    const schema = z.object({ card: z.object({ number: z.string(), month: z.number() }) });
    const result = run(schema, { card: { number: '4111', month: 'May' } }, { secrets: ['card.number'] });
    expect(result).toMatchObject({ issues: [{ path: ['card', 'month'], received: '"May" (string)' }] });
  });

  test('with more secrets than can be looked for, nothing is shown', () => {
    const schema = z.object({ tokens: z.array(z.string()), note: z.number() });
    const tokens = Array.from({ length: 2000 }, (_, index) => `S3cr3t-${index}`);
    const result = run(schema, { tokens, note: 'S3cr3t-1999' }, { secrets: ['tokens'] });
    expect(result).toMatchObject({ issues: [{ message: '[redacted]', received: '"[redacted]" (string)' }] });
  });

  test('an input that contains itself is explained all the same', () => {
    const input: Record<string, unknown> = { password: 'hunter2' };
    input['self'] = input;
    const schema = z.object({ password: z.number(), self: z.number() });
    const result = run(schema, input, { secrets: ['password'] });
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(result.ok).toBe(false);
  });
});

describe('keys that are secret', () => {
  const map = (value: unknown): object => ({
    type: 'object',
    properties: { password: { type: 'object', additionalProperties: value } },
  });

  test('keys below a secret field are not shown: the complaint is about the field', () => {
    const result = run(map({ type: 'number' }), { password: { hunter2: 'x' } }, { secrets: ['password'] });
    expect(result).toEqual({
      ok: false,
      issues: [
        {
          path: ['password'],
          message: 'is not valid',
          expected: 'object',
          received: 'a value that is not shown',
        },
      ],
    });
  });

  test('unknown keys below a secret field are not shown', () => {
    const schema = z.object({ password: z.object({ text: z.string() }) });
    const result = run(
      schema,
      { password: { text: 'a', hunter2: 1 } },
      { secrets: ['password'], unknownArguments: 'reject' },
    );
    expect(result).toEqual({
      ok: false,
      issues: [{ path: ['password'], message: 'has a key that is not allowed' }],
    });
  });

  test('an unknown key that is itself listed as secret is called by its name', () => {
    const result = run(
      z.object({ user: z.string() }),
      { user: 'ada', token: 'S3cr3t' },
      { secrets: ['token'], unknownArguments: 'reject' },
    );
    expect(result).toEqual({
      ok: false,
      issues: [{ path: ['token'], message: unknownArgument('user') }],
    });
  });

  test('an unknown key with the name of a secret value is blanked, and nothing like it is suggested', () => {
    const result = run(
      z.object({ password: z.string(), hunter3: z.string().optional() }),
      { password: 'hunter2', hunter2: 1 },
      { secrets: ['password'], unknownArguments: 'reject' },
    );
    expect(result).toEqual({
      ok: false,
      issues: [{ path: ['[redacted]'], message: unknownArgument('password', 'hunter3') }],
    });
  });

  test('a key of a map with the name of a secret value is blanked, a field of the schema is not', () => {
    const schema = z.object({
      password: z.string(),
      map: z.record(z.string(), z.number()),
      hunter2: z.number(),
    });
    const result = run(
      schema,
      { password: 'hunter2', map: { hunter2: 'x' }, hunter2: 'x' },
      { secrets: ['password'] },
    );
    expect(result.ok ? [] : result.issues.map((issue) => issue.path)).toEqual([
      ['map', '[redacted]'],
      ['hunter2'],
    ]);
  });

  test('a key that a pattern lets callers choose is blanked like any other', () => {
    const schema = {
      type: 'object',
      properties: { password: { type: 'string' } },
      patternProperties: { '^h': { type: 'number' } },
    };
    const result = run(schema, { password: 'hunter2', hunter2: 'x' }, { secrets: ['password'] });
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  test('a message that quotes the whole input shows no key below a secret field', () => {
    const schema = type({ password: 'object' }).narrow((_, context) => context.mustBe('known'));
    const result = run(schema, { password: { hunter2: true } }, { secrets: ['password'] });
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  test('the names that the schema gives to the parts of a secret are not secret', () => {
    const schema = z.object({ card: z.object({ number: z.string() }), count: z.number() });
    const result = run(schema, { card: { number: '4111' }, count: 'x' }, { secrets: ['card'] });
    expect(result).toMatchObject({
      issues: [{ path: ['count'], message: 'Invalid input: expected number, received string' }],
    });
  });

  test('the value of an unknown argument that is secret is blanked where another message quotes it', () => {
    const schema = z.object({ note: z.number() });
    const result = run(
      schema,
      { note: 'S3cr3t', token: 'S3cr3t' },
      { secrets: ['token'], unknownArguments: 'reject' },
    );
    expect(JSON.stringify(result)).not.toContain('S3cr3t');
  });
});

describe('names with dots', () => {
  const schema = {
    type: 'object',
    properties: { 'a.b': { type: 'number' }, a: { properties: { b: { type: 'number' } } } },
  };
  const received = (secret: string): unknown => {
    const result = run(schema, { 'a.b': 'one', a: { b: 'two' } }, { secrets: [secret] });
    return result.ok ? [] : result.issues.map((issue) => issue.received);
  };

  test('an escaped dot belongs to the name, any other leads into it', () => {
    expect(received(String.raw`a\.b`)).toEqual(['a value that is not shown', '"two" (string)']);
    expect(received('a.b')).toEqual(['"one" (string)', 'a value that is not shown']);
  });
});

describe('secrets of another value', () => {
  const input = compileInput(z.object({ password: z.string() }), { secrets: ['password'] });
  const output = compileInput(z.object({ n: z.number() }), { side: 'output' });

  test('are hidden when the check is told of them', () => {
    const hide = input.hiderOf({ password: 'hunter2' });
    expect(output.validate({ n: 'it is hunter2' }, hide)).toMatchObject({
      issues: [{ path: ['n'], received: '"it is [redacted]" (string)' }],
    });
  });

  test('are shown when it is not', () => {
    expect(output.validate({ n: 'it is hunter2' })).toMatchObject({
      issues: [{ received: '"it is hunter2" (string)' }],
    });
  });
});
