import { UsageError } from '../terminal/command.ts';

/** Parses the headers of `--header` or another flag. Messages never contain values, because most are secrets. */
export function readHeaders(lines: readonly string[], flag = 'header'): Record<string, string> {
  return Object.fromEntries(lines.map((line) => readHeader(line, flag)));
}

function readHeader(line: string, flag: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon < 1)
    throw new UsageError(
      `Invalid --${flag}: expected "name: value", but the colon is missing. Quote the header: --${flag} "X-Key: abc"`,
    );
  const [name, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  // The text before the colon may be part of a secret that was given without a header name.
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw new UsageError(
      `Invalid --${flag}: expected "name: value" with a header name of letters, digits and "-".`,
    );
  if (!isHeaderValue(value))
    throw new UsageError(
      `Invalid --${flag} "${name}": its value has a character that is not allowed in headers, such as a line break.`,
    );
  return [name.toLowerCase(), value];
}

function isHeaderValue(value: string): boolean {
  try {
    return new Headers({ x: value }).has('x');
  } catch {
    return false;
  }
}
