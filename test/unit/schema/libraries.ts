import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';

/** The same tool schema in every supported library. */
export const NOTE_SCHEMAS: Readonly<Record<string, unknown>> = {
  zod: z.object({
    title: z.string(),
    limit: z.number().default(10),
    author: z.object({ name: z.string(), age: z.number().optional() }),
    tags: z.array(z.object({ label: z.string() })).optional(),
  }),
  arktype: type({
    title: 'string',
    limit: 'number = 10',
    author: { name: 'string', 'age?': 'number' },
    'tags?': type({ label: 'string' }).array(),
  }),
  valibot: toStandardJsonSchema(
    v.object({
      title: v.string(),
      limit: v.optional(v.number(), 10),
      author: v.object({ name: v.string(), age: v.optional(v.number()) }),
      tags: v.optional(v.array(v.object({ label: v.string() }))),
    }),
  ),
  'json-schema': {
    type: 'object',
    properties: {
      title: { type: 'string' },
      limit: { type: 'number', default: 10 },
      author: {
        type: 'object',
        properties: { name: { type: 'string' }, age: { type: 'number' } },
        required: ['name'],
      },
      tags: {
        type: 'array',
        items: { type: 'object', properties: { label: { type: 'string' } }, required: ['label'] },
      },
    },
    required: ['title', 'author'],
  },
};

/** A schema with secrets in all possible positions, in every supported library. */
export const SECRET_SCHEMAS: Readonly<Record<string, unknown>> = {
  zod: z
    .object({
      password: z.string().max(3),
      pin: z.number().max(5),
      card: z.object({ number: z.string().regex(/^x$/) }),
      users: z.array(z.object({ token: z.enum(['a', 'b']) })),
      either: z.union([z.number(), z.object({ deep: z.boolean() })]),
      note: z.string().max(1),
    })
    .refine(() => false, { error: ({ input }) => `refused: ${JSON.stringify(input)}`, when: () => true }),
  arktype: type({
    password: 'string <= 3',
    pin: 'number <= 5',
    card: { number: /^x$/ },
    users: type({ token: "'a' | 'b'" }).array(),
    either: type('number').or({ deep: 'boolean' }),
    note: 'string <= 1',
  }),
  'arktype narrow': type({
    password: 'string',
    pin: 'number',
    card: { number: 'string' },
    users: type({ token: 'string' }).array(),
    either: 'string',
    note: 'string',
  }).narrow((_, context) => context.mustBe('something else')),
  valibot: toStandardJsonSchema(
    v.object({
      password: v.pipe(v.string(), v.maxLength(3)),
      pin: v.pipe(v.number(), v.maxValue(5)),
      card: v.object({ number: v.pipe(v.string(), v.regex(/^x$/)) }),
      users: v.array(v.object({ token: v.picklist(['a', 'b']) })),
      either: v.union([v.number(), v.object({ deep: v.boolean() })]),
      note: v.pipe(v.string(), v.maxLength(1)),
    }),
  ),
  'json-schema': {
    type: 'object',
    properties: {
      password: { type: 'string', maxLength: 3 },
      pin: { type: 'number', maximum: 5 },
      card: { type: 'object', properties: { number: { type: 'string', pattern: '^x$' } } },
      users: { type: 'array', items: { type: 'object', properties: { token: { enum: ['a', 'b'] } } } },
      either: { anyOf: [{ type: 'number' }, { type: 'object', properties: { deep: { type: 'boolean' } } }] },
      note: { type: 'string', maxLength: 1 },
    },
    required: ['password', 'pin', 'card', 'users', 'either'],
  },
};
