import { HARMFUL_CHARACTERS } from './harmful-characters.ts';

const COLOURS: Readonly<Record<string, number>> = { debug: 2, info: 32, warning: 33, error: 31 };

/**
 * Formats a log entry for a terminal: level, message and fields on one line, multi-line values below. The input is the JSON line that other
 * outputs get.
 */
export function formatLogText(json: string, hasColours: boolean): string {
  const { level, message, ...fields } = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const shownLevel = clean(String(level));
  const colour = hasColours ? COLOURS[shownLevel] : undefined;
  const beside: string[] = [];
  const below: string[] = [];
  for (const [key, value] of Object.entries(fields)) {
    const stack = stackOf(value);
    if (stack === undefined) beside.push(`${clean(key)}=${formatField(value)}`);
    else below.push(indent(clean(stack)));
  }
  const head = colour === undefined ? shownLevel : `\u001B[${colour}m${shownLevel}\u001B[0m`;
  return [[head, indent(clean(String(message))).trimStart(), ...beside].join(' '), ...below].join('\n');
}

function clean(text: string): string {
  return text.replaceAll(HARMFUL_CHARACTERS, '');
}

/** Single words unquoted; texts with spaces or quotes, and other values, as JSON. */
function formatField(value: unknown): string {
  const isWord = typeof value === 'string' && /^[^\s"=]+$/.test(value);
  return clean(isWord ? value : JSON.stringify(value));
}

/** The stack of an error; without one, its name and message. */
function stackOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, message, stack } = value as Readonly<Record<string, unknown>>;
  if (typeof stack === 'string') return stack;
  return typeof name === 'string' && typeof message === 'string' ? `${name}: ${message}` : undefined;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
