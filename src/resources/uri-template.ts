import { DefinitionError } from '../errors/errors.ts';
import { percentDecode } from './percent-decode.ts';
import { readQuery } from './uri-template-query.ts';

/** The names of the variables in a URI template. */
export type TemplateVariable<TTemplate extends string> = string extends TTemplate
  ? string
  : TTemplate extends `${string}{${infer TExpression}}${infer TRest}`
    ? NamesIn<TExpression> | TemplateVariable<TRest>
    : never;

/** The names of the optional variables: those of `{?name}`. */
export type OptionalVariable<TTemplate extends string> = string extends TTemplate
  ? never
  : TTemplate extends `${string}{?${infer TList}}${string}`
    ? SplitNames<TList>
    : never;

type NamesIn<TExpression extends string> = TExpression extends `${Operator}${infer TList}`
  ? SplitNames<TList>
  : SplitNames<TExpression>;

type SplitNames<TList extends string> = TList extends `${infer TName},${infer TRest}`
  ? TName | SplitNames<TRest>
  : TList;

/** A parsed URI template. */
export interface UriTemplate {
  readonly variables: readonly string[];
  /** The variables of a matching URI; undefined for others. Linear in the length of the URI. */
  match(uri: string): Record<string, string> | undefined;
}

/** One variable. */
interface Expression {
  readonly name: string;
  /** `{+name}`: matches any characters, not only one path segment. */
  readonly isOpen: boolean;
}

/** Literals with an expression between each two of them: always one literal more than expressions. */
interface Parts {
  readonly literals: readonly string[];
  readonly expressions: readonly Expression[];
  /** The allowed query parameters of `{?name,other}`; undefined without one. */
  readonly query: readonly string[] | undefined;
}

type Operator = '+' | '#' | '.' | '/' | ';' | '?';

/** Prefix of the values of an expression; those of `?` are parsed separately. */
const BEFORE: Readonly<Record<Operator | '', (name: string, index: number) => string>> = {
  '': (_name, index) => (index === 0 ? '' : ','),
  '+': (_name, index) => (index === 0 ? '' : ','),
  '#': (_name, index) => (index === 0 ? '#' : ','),
  '.': () => '.',
  '/': () => '/',
  ';': (name) => `;${name}=`,
  '?': () => '',
};

const EXPRESSION = /^([+#./;?]?)((?:\w+(?:\.\w+)*)(?:,\w+(?:\.\w+)*)*)$/;

const USES =
  'Use {name} for one path segment, {/name}, {.name} or {;name} for one with that prefix, {+name} or {#name} for any characters, ' +
  'and {?name,other} at the end for a query. Lists (*), prefixes (:3) and {&name} are not supported.';

/** Parses a template. Supports the part of RFC 6570 that can be matched unambiguously. */
export function parseUriTemplate(template: string, owner: string): UriTemplate {
  const parts = readParts(template, owner);
  assertReadable(parts, owner);
  const { expressions, query = [] } = parts;
  return {
    variables: [...expressions.map(({ name }) => name), ...query],
    match: (uri) => match(parts, uri),
  };
}

function readParts(template: string, owner: string): Parts {
  const literals: string[] = [];
  const expressions: Expression[] = [];
  let query: readonly string[] | undefined;
  const [first = '', ...others] = template.split('{');
  let literal = first;
  for (const [index, other] of others.entries()) {
    const close = other.indexOf('}');
    const [, operator, list] = EXPRESSION.exec(other.slice(0, Math.max(close, 0))) ?? [];
    if (close === -1 || operator === undefined || list === undefined) {
      const shown = close === -1 ? `{${other.slice(0, 40)}` : `{${other.slice(0, close)}}`;
      throw wrongTemplate(`${owner}: the expression ${shown} is not supported. ${USES}`);
    }
    const names = list.split(',');
    const rest = other.slice(close + 1);
    if (operator === '?') {
      if (rest !== '' || index < others.length - 1)
        throw wrongTemplate(`${owner}: {?${list}} must be the end of the template.`);
      query = names;
      break;
    }
    for (const [at, name] of names.entries()) {
      literals.push(`${literal}${BEFORE[operator as Operator | ''](name, at)}`);
      expressions.push({ name, isOpen: operator === '+' || operator === '#' });
      literal = '';
    }
    literal = rest;
  }
  return { literals: [...literals, literal], expressions, query };
}

function wrongTemplate(message: string): DefinitionError {
  return new DefinitionError(message, { option: 'uriTemplate' });
}

function assertReadable({ literals, expressions, query = [] }: Parts, owner: string): void {
  if (expressions.length + query.length === 0)
    throw wrongTemplate(`${owner}: the template has no {variable}. Use uri in place of uriTemplate.`);
  if (literals.some((literal) => literal.includes('}')))
    throw wrongTemplate(`${owner}: the template has a "}" without "{".`);
  if (literals.slice(1, -1).includes('')) {
    throw wrongTemplate(
      `${owner}: two expressions of the template are adjacent. Put a literal such as "/" between them.`,
    );
  }
  if (query.length > 0 && literals.some((literal) => /[?#]/.test(literal)))
    throw wrongTemplate(`${owner}: the template already has a "?" or "#" before {?${query.join(',')}}.`);
  const names = [...expressions.map(({ name }) => name), ...query];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw wrongTemplate(`${owner}: the template has the variable "${twice}" twice.`);
  if (expressions.filter(({ isOpen }) => isOpen).length > 1) {
    throw wrongTemplate(
      `${owner}: the template has more than one {+name}, which is ambiguous. Use at most one.`,
    );
  }
}

/** If the template has a query, the first "?" starts it. */
function match(parts: Parts, uri: string): Record<string, string> | undefined {
  if (parts.query === undefined) return matchPath(parts, uri);
  const mark = uri.indexOf('?');
  const values = matchPath(parts, mark === -1 ? uri : uri.slice(0, mark));
  const asked = values === undefined || mark === -1 ? {} : readQuery(uri.slice(mark + 1), parts.query);
  return values === undefined || asked === undefined ? undefined : { ...values, ...asked };
}

/**
 * Matches from the left up to the `{+name}` expression, then from the right down to it. Each literal is searched once, at the nearest
 * position: a later one would only make the segment longer, so no match is missed.
 */
// defence: templates-without-expressions
function matchPath({ literals, expressions }: Parts, uri: string): Record<string, string> | undefined {
  const [first = ''] = literals;
  const last = literals.at(-1) ?? '';
  if (expressions.length === 0) return uri === first ? {} : undefined;
  if (!uri.startsWith(first) || !uri.endsWith(last)) return undefined;
  const texts: string[] = [];
  let start = first.length;
  let end = uri.length - last.length;
  let left = 0;
  let right = expressions.length - 1;
  for (; left < right && expressions[left]?.isOpen === false; left += 1) {
    const literal = literals[left + 1] ?? '';
    const at = uri.indexOf(literal, start + 1);
    if (at === -1) return undefined;
    texts[left] = uri.slice(start, at);
    start = at + literal.length;
  }
  for (; right > left; right -= 1) {
    const literal = literals[right] ?? '';
    const at = uri.lastIndexOf(literal, end - literal.length - 1);
    if (at <= start) return undefined;
    texts[right] = uri.slice(at + literal.length, end);
    end = at;
  }
  if (start >= end) return undefined;
  texts[left] = uri.slice(start, end);
  return decode(expressions, texts);
}

function decode(
  expressions: readonly Expression[],
  texts: readonly string[],
): Record<string, string> | undefined {
  const values: [string, string][] = [];
  for (const [index, { name, isOpen }] of expressions.entries()) {
    const text = texts[index] ?? '';
    if (!isOpen && /[/?#]/.test(text)) return undefined;
    const value = percentDecode(text);
    // No path or name contains a NUL, but a derived string may be cut there.
    if (value === undefined || value.includes('\0') || (!isOpen && !isSegment(value))) return undefined;
    values.push([name, value]);
  }
  return Object.fromEntries(values);
}

/** Whether a decoded value still is one segment, so that a path built from it cannot lead elsewhere. */
function isSegment(value: string): boolean {
  return value !== '.' && value !== '..' && !/[/\\]/.test(value);
}
