import type { SchemaNode } from './json-node.ts';
import type { Schema } from './schema-types.ts';

/** What is wrong with a value: where, and what. */
export interface PlainIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A schema for our own few tools, which must work without any schema library: its JSON Schema and its check, written by hand. */
export function definePlainSchema<TValue>(
  document: SchemaNode,
  check: (value: Readonly<Record<string, unknown>>) => TValue | readonly PlainIssue[],
): Schema {
  const validate = (value: unknown): object => {
    const checked = check(value as Readonly<Record<string, unknown>>);
    return Array.isArray(checked) ? { issues: checked } : { value: checked };
  };
  const jsonSchema = { input: () => document, output: () => document };
  return { '~standard': { version: 1, vendor: 'toolwright', validate, jsonSchema } };
}
