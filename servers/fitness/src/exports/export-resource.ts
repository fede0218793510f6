import { ValidationError } from 'toolwright';
import type { Policy } from 'toolwright';
import type { z } from 'zod';

/** The tag of an export: the tool whose data it has. */
export function tagOf(tool: string): string {
  return `data of ${tool}`;
}

/** The policy of exports: a caller can read the data of the tools that they can call. */
export function createExportPolicy(tools: Policy): Policy {
  return (subject, caller) => {
    const [tag = ''] = subject.tags;
    return tools({ ...subject, name: tag.replace(/^data of /, '') }, caller);
  };
}

/** Parses the variables of a URI, which are strings. */
export function parseQuery<TSchema extends z.ZodType>(
  schema: TSchema,
  variables: Readonly<Record<string, string | undefined>>,
): z.output<TSchema> {
  const parsed = schema.safeParse(variables);
  if (parsed.success) return parsed.data;
  throw new ValidationError(
    parsed.error.issues.map(({ path, message }) => ({ path: path as string[], message })),
  );
}
