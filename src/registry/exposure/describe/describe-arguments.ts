import type { PlainIssue } from '../../../schema/nodes/plain-schema.ts';
import type { SchemaNode } from '../../../schema/nodes/json-node.ts';

/** The part of a schema that is requested. */
export interface Extent {
  readonly path?: string | undefined;
  readonly whole: boolean;
}

const MAX_PATH = 1000;

/** The arguments that request one part of a schema, or the whole schema. */
export const EXTENT_PROPERTIES: SchemaNode = {
  path: { type: 'string', description: 'The x-path of a part that was left out' },
  whole: { type: 'boolean', description: 'Leave nothing out' },
};

/** The issues of these arguments. */
export function extentIssues({ path, whole }: Readonly<Record<string, unknown>>): PlainIssue[] {
  const issues: PlainIssue[] = [];
  if (path !== undefined && (typeof path !== 'string' || path === '' || path.length > MAX_PATH))
    issues.push({ path: ['path'], message: `must be a string of 1 to ${MAX_PATH} characters` });
  if (whole !== undefined && typeof whole !== 'boolean')
    issues.push({ path: ['whole'], message: 'must be true or false' });
  return issues;
}
