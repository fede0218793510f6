import { jsonSchema } from 'toolwright';
import type { ModelAnswer } from 'toolwright';
import * as z from 'zod';

/** Forms for elicitation. */
export const NAME = z.object({ name: z.string() });
export const COLOR = z.object({ color: z.string() });
export const CONFIRMATION = z.object({ ok: z.boolean() });

/** A form with defaults. */
export const DEFAULTS = z.object({
  name: z.string().default('John Doe'),
  age: z.int().default(30),
  score: z.number().default(95.5),
  status: z.enum(['active', 'inactive', 'pending']).default('active'),
  verified: z.boolean().default(true),
});

const ONE_TO_THREE = ['option1', 'option2', 'option3'];

function titled(...titles: readonly string[]): { const: string; title: string }[] {
  return titles.map((title, index) => ({ const: `value${index + 1}`, title }));
}

/** All kinds of choices. Written as JSON Schema, because the exact keywords matter here. */
export const ENUMS = jsonSchema<Record<string, string | string[]>>({
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ONE_TO_THREE },
    titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ONE_TO_THREE } },
    titledMulti: {
      type: 'array',
      items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') },
    },
  },
});

/** The text of a model's response. */
export function textOf({ content }: ModelAnswer): string {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('');
}
