/** One validation issue. */
export interface Issue {
  /** Keys and indexes from the root of the arguments; empty for the arguments as a whole. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Description of the valid values. */
  readonly expected?: string;
  /** Description of the received value; never the value of a secret field. */
  readonly received?: string;
}

/** A path as text: `items[2].name`; `(arguments)` for the root. */
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

/** An issue as one line: `limit: must be at least 1 (expected: integer ≥ 1; received: 0)`. */
export function formatIssue(issue: Issue): string {
  const facts: string[] = [];
  if (issue.expected !== undefined) facts.push(`expected: ${issue.expected}`);
  if (issue.received !== undefined) facts.push(`received: ${issue.received}`);
  const suffix = facts.length > 0 ? ` (${facts.join('; ')})` : '';
  return `${formatPath(issue.path)}: ${issue.message}${suffix}`;
}
