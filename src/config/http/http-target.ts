import { readPathTemplate } from '../../outbound/fill-path.ts';
import type { PathTemplate } from '../../outbound/fill-path.ts';
import type { EnvText } from '../file/env-text.ts';

/** The parsed URL of a tool. */
export interface Target {
  readonly origin: string;
  readonly path: PathTemplate;
  readonly query: string;
  /** The URL for messages: without its query, and with references instead of environment variables. */
  readonly shown: string;
}

/** Parses the URL of a tool. `written` is the URL as written, if it contains environment variables. */
export function readTarget(
  given: string,
  written: EnvText | undefined,
): Target | { readonly mistake: string } {
  const url = written === undefined ? given : joinPieces(written);
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(url) ?? [];
  if (origin === '' || !URL.canParse(origin))
    return { mistake: 'must be a URL such as https://api.example.com/users/{id}' };
  const { username, password, origin: plain } = new URL(origin);
  if (/[{}]/.test(origin))
    return { mistake: 'must not have braces in its host: arguments are allowed only in the path' };
  if (username !== '' || password !== '')
    return { mistake: 'must not contain a user name or a password. Use headers' };
  const [template, query] = splitQuery(rest);
  if (/[{}]/.test(query))
    return { mistake: 'must not have braces in its query: arguments are added to the query automatically' };
  if (/[{}]/.test(template.replaceAll(/\{[^{}/]+\}/g, ''))) return { mistake: 'has an unmatched brace' };
  const shown = written === undefined ? `${plain}${template}` : splitQuery(written.source)[0];
  return { origin: plain, path: readPathTemplate(template === '' ? '/' : template), query, shown };
}

/** Splits at the first question mark. */
function splitQuery(address: string): [string, string] {
  const [sent = ''] = address.split('#');
  const mark = sent.indexOf('?');
  return mark === -1 ? [sent, ''] : [sent.slice(0, mark), sent.slice(mark + 1)];
}

/** Joins the pieces. A trailing slash of a variable and a following slash are merged. */
export function joinPieces({ pieces }: EnvText): string {
  const filled = pieces.filter(({ text }) => text !== '');
  return filled
    .map(({ text, reference }, index) => {
      const isDoubled =
        reference !== undefined && text.endsWith('/') && filled[index + 1]?.text.startsWith('/') === true;
      return isDoubled ? text.slice(0, -1) : text;
    })
    .join('');
}
