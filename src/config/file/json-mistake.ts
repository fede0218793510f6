/** The first syntax error in a JSON text. */
export interface JsonMistake {
  readonly offset: number;
  readonly message: string;
}

/** The expected token. `first-…` also allows the end of the array or object. */
type Wanted = 'value' | 'first-value' | 'name' | 'first-name' | 'colon' | 'comma' | 'end';

const SPACE = /^[ \t\n\r]+/;
const TOKENS = [
  /^[[\]{}:,]/,
  // oxlint-disable-next-line no-control-regex -- JSON strings must not contain them
  /^"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"/,
  /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?)(?![\w.+-])/,
];

/** Finds the first syntax error; undefined for valid JSON. The messages of JavaScript engines differ and often lack the position. */
export function findJsonMistake(text: string): JsonMistake | undefined {
  const open: ('[' | '{')[] = [];
  let wanted: Wanted = 'value';
  let offset = 0;
  for (;;) {
    offset += read([SPACE], text.slice(offset)).length;
    if (offset === text.length && wanted === 'end') return undefined;
    const token = read(TOKENS, text.slice(offset));
    const next = step(wanted, token, open);
    if (next === undefined) return { offset, message: describe(wanted, text[offset], open.at(-1)) };
    wanted = next;
    offset += token.length;
  }
}

/** The first token of the rest; empty if there is none. */
function read(kinds: readonly RegExp[], rest: string): string {
  for (const kind of kinds) {
    const [token] = kind.exec(rest) ?? [];
    if (token !== undefined) return token;
  }
  return '';
}

/** The expectation after a token; undefined if the token is not allowed. */
function step(wanted: Wanted, token: string, open: ('[' | '{')[]): Wanted | undefined {
  const isText = token.startsWith('"');
  switch (wanted) {
    case 'colon':
      return token === ':' ? 'value' : undefined;
    case 'name':
    case 'first-name':
      if (isText) return 'colon';
      return wanted === 'first-name' && token === '}' ? close(open) : undefined;
    case 'comma':
      if (token === ',') return open.at(-1) === '{' ? 'name' : 'value';
      return token === (open.at(-1) === '{' ? '}' : ']') ? close(open) : undefined;
    case 'end':
      return undefined;
    case 'value':
    case 'first-value':
      if (token === '[' || token === '{') {
        open.push(token);
        return token === '[' ? 'first-value' : 'first-name';
      }
      if (wanted === 'first-value' && token === ']') return close(open);
      return token === '' || /^[\]}:,]/.test(token) ? undefined : afterValue(open);
    default:
      return wanted satisfies never;
  }
}

function close(open: ('[' | '{')[]): Wanted {
  open.pop();
  return afterValue(open);
}

function afterValue(open: readonly string[]): Wanted {
  return open.length === 0 ? 'end' : 'comma';
}

function describe(wanted: Wanted, found: string | undefined, inside: '[' | '{' | undefined): string {
  if (wanted === 'end') return 'expected the end of the file';
  const names = {
    value: 'a value',
    'first-value': 'a value or "]"',
    name: 'a name in double quotes',
    'first-name': 'a name in double quotes or "}"',
    colon: '":"',
    comma: inside === '{' ? '"," or "}"' : '"," or "]"',
  } as const;
  return `expected ${names[wanted]}, received ${found === undefined ? 'the end of the file' : JSON.stringify(found)}`;
}
