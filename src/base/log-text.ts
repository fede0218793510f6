import { HARMFUL_CHARACTERS } from './harmful-characters.ts';

const COLOURS: Readonly<Record<string, number>> = { debug: 2, info: 32, warning: 33, error: 31 };

/**
 * An entry of a log for a person: the level, the message and the fields on one line, what has lines of its own below. It is given as the
 * line of JSON that a program would get.
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

/** Words as they are; what has spaces or quotes, and everything that is no text, as JSON. */
function formatField(value: unknown): string {
  const isWord = typeof value === 'string' && /^[^\s"=]+$/.test(value);
  return clean(isWord ? value : JSON.stringify(value));
}

/** An error says where it was thrown; one without that says what it is. */
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
