import { endOfString } from '../../base/json/json-depth.ts';

/** A key that the schema names, as a property access, or an index. */
const NAMED = /\.([a-z$_][a-z$_0-9]*)|\[(\d+)\]/iy;

/**
 * Parses a path as Ajv writes it with `jsPropertySyntax`: `.name`, `["a name"]`, `[0]`, and `['key']` for a key that the
 * schema does not name. The last form has no escapes, so the value is needed to find the end of such a key.
 *
 * Ajv's other notation, JSON pointers, has escapes. It writes them again for every error, including those of alternatives that it
 * drops: a key of megabytes above thousands of values takes minutes.
 */
export function parseAjvPath(written: string, value: unknown): (string | number)[] {
  const path: (string | number)[] = [];
  let current: unknown = value;
  for (let at = 0; at < written.length;) {
    const step = readStep(written, at, current);
    // Unexpected notation: return the path so far.
    if (step === undefined) return path;
    path.push(step.key);
    current = (current as Readonly<Record<string, unknown>> | null | undefined)?.[step.key];
    at = step.end;
  }
  return path;
}

interface Step {
  readonly key: string | number;
  readonly end: number;
}

function readStep(written: string, start: number, current: unknown): Step | undefined {
  NAMED.lastIndex = start;
  const [whole, name, index] = NAMED.exec(written) ?? [];
  if (whole !== undefined) return { key: name ?? Number(index), end: start + whole.length };
  if (written.startsWith('["', start)) {
    const end = endOfString(written, start + 1);
    return { key: JSON.parse(written.slice(start + 1, end + 1)) as string, end: end + 2 };
  }
  if (typeof current !== 'object' || current === null) return undefined;
  for (let end = written.indexOf("']", start); end !== -1; end = written.indexOf("']", end + 1)) {
    const key = written.slice(start + 2, end);
    if (Object.hasOwn(current, key)) return { key, end: end + 2 };
  }
  return undefined;
}
