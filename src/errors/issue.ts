/** One complaint of validation: where, what is wrong, what was expected and what came. */
export interface Issue {
  /** Keys and indexes from the root of the arguments; empty for the arguments as a whole. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** What the schema asks for at this place, in words. */
  readonly expected?: string;
  /** What came, in words; never the value of a field listed as secret. */
  readonly received?: string;
}

/** A path in the notation people write: `items[2].name`; `(arguments)` for the root. */
export function formatPath(path: readonly (string | number)[]): string {
  if (path.length === 0) return '(arguments)';
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else if (!/^[\w$-]+$/.test(key)) text += `[${JSON.stringify(key)}]`;
    else text += text === '' ? key : `.${key}`;
  }
  return text;
}

/** One line for one issue: `limit: must be at least 1 (expected: integer ≥ 1; received: 0)`. */
export function formatIssue(issue: Issue): string {
  const facts: string[] = [];
  if (issue.expected !== undefined) facts.push(`expected: ${issue.expected}`);
  if (issue.received !== undefined) facts.push(`received: ${issue.received}`);
  const suffix = facts.length > 0 ? ` (${facts.join('; ')})` : '';
  return `${formatPath(issue.path)}: ${issue.message}${suffix}`;
}
