import type { SchemaNode } from './json-node.ts';
import type { Schema } from './schema-types.ts';

/** What is wrong with a value: where, and what. */
export interface PlainIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What is known of a plain schema. */
export interface PlainSchemaOptions {
  /**
   * The document is plain JSON that nobody changes, its references lead somewhere, and its patterns are quick: whoever made it has seen
   * to that. Thousands of documents that share most of their parts need not be copied and read through one by one.
   */
  readonly isServable?: boolean;
}

const servable = new WeakSet<object>();

/** Whether the maker of a document vouches for it. */
export function isVouchedFor(document: object): boolean {
  return servable.has(document);
}

/** A schema for our own few tools, which must work without any schema library: its JSON Schema and its check, written by hand. */
export function definePlainSchema<TValue>(
  document: SchemaNode,
  check: (value: Readonly<Record<string, unknown>>) => TValue | readonly PlainIssue[],
  { isServable = false }: PlainSchemaOptions = {},
): Schema {
  if (isServable) servable.add(document);
  const validate = (value: unknown): object => {
    const checked = check(value as Readonly<Record<string, unknown>>);
    return Array.isArray(checked) ? { issues: checked } : { value: checked };
  };
  const jsonSchema = { input: () => document, output: () => document };
  return { '~standard': { version: 1, vendor: 'toolwright', validate, jsonSchema } };
}
