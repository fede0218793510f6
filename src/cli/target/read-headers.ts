import { UsageError } from '../terminal/command.ts';

/** The headers of `--header` or another flag, by name. Values are never shown: most of them are secrets. */
export function readHeaders(lines: readonly string[], flag = 'header'): Record<string, string> {
  return Object.fromEntries(lines.map((line) => readHeader(line, flag)));
}

function readHeader(line: string, flag: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon < 1)
    throw new UsageError(
      `--${flag} takes "name: value"; one of them has no colon. Put it in quotes: --${flag} "X-Key: abc"`,
    );
  const [name, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  // What stands before the colon of a value that was given without a name is not a name, and may be a secret.
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw new UsageError(
      `--${flag} takes "name: value"; one of them has a name that no header can have. It has letters, digits and "-".`,
    );
  if (!isHeaderValue(value))
    throw new UsageError(
      `--${flag} ${name}: its value has a character that no header can have, such as a line break.`,
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
