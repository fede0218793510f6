import { readPathTemplate } from '../../outbound/fill-path.ts';
import type { PathTemplate } from '../../outbound/fill-path.ts';
import type { EnvText } from '../file/env-text.ts';

/** Where a request goes: what is fixed, and what is filled in. */
export interface Target {
  readonly origin: string;
  readonly path: PathTemplate;
  readonly query: string;
  /** The address as messages name it: with references in the place of what came from the environment, and without its query. */
  readonly shown: string;
}

/** Reads the address of a tool; of one with variables in it, also how it was written. */
export function readTarget(
  given: string,
  written: EnvText | undefined,
): Target | { readonly mistake: string } {
  const url = written === undefined ? given : joinPieces(written);
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(url) ?? [];
  if (origin === '' || !URL.canParse(origin))
    return { mistake: 'must be an address such as https://api.example.com/users/{id}' };
  const { username, password, origin: plain } = new URL(origin);
  if (/[{}]/.test(origin))
    return { mistake: 'may have braces in its path alone: who is asked must not depend on arguments' };
  if (username !== '' || password !== '')
    return { mistake: 'must not have a user name and a password. Use headers' };
  const [template, query] = splitQuery(rest);
  if (/[{}]/.test(query))
    return { mistake: 'may have braces in its path alone. Arguments go into the query by themselves' };
  if (/[{}]/.test(template.replaceAll(/\{[^{}/]+\}/g, '')))
    return { mistake: 'has a brace without its counterpart' };
  const shown = written === undefined ? `${plain}${template}` : splitQuery(written.source)[0];
  return { origin: plain, path: readPathTemplate(template === '' ? '/' : template), query, shown };
}

/** At the first question mark: another one is a part of the query. */
function splitQuery(address: string): [string, string] {
  const [sent = ''] = address.split('#');
  const mark = sent.indexOf('?');
  return mark === -1 ? [sent, ''] : [sent.slice(0, mark), sent.slice(mark + 1)];
}

/** A variable that ends with a slash, and a slash behind it, are one: people write addresses both ways. */
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
