import type { SchemaNode } from './json-node.ts';
import type { Schema } from './schema-types.ts';

/** An issue: its path and message. */
export interface PlainIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Options of {@link definePlainSchema}. */
export interface PlainSchemaOptions {
  /**
   * Whether the document is known to be servable: immutable plain JSON, resolvable references, fast patterns. Then it is neither copied nor
   * checked, which matters for thousands of documents that share most of their parts.
   */
  readonly isServable?: boolean;
}

const servable = new WeakSet<object>();

/** Whether the document was marked as servable. */
export function isVouchedFor(document: object): boolean {
  return servable.has(document);
}

/** Defines a schema by a JSON Schema and a hand-written check, for built-in tools that must work without a schema library. */
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
