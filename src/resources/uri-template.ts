import { DefinitionError } from '../errors/errors.ts';

/** The names of the variables in a URI template. */
export type TemplateVariable<TTemplate extends string> = string extends TTemplate
  ? string
  : TTemplate extends `${string}{${infer TExpression}}${infer TRest}`
    ? VariableName<TExpression> | TemplateVariable<TRest>
    : never;

type VariableName<TExpression extends string> = TExpression extends `+${infer TName}` ? TName : TExpression;

/** A URI template, ready to be held against URIs. */
export interface UriTemplate {
  readonly variables: readonly string[];
  /** The variables of a URI that fits; undefined for others. Takes time in proportion to the length of the URI. */
  match(uri: string): Record<string, string> | undefined;
}

/** One `{name}` or `{+name}`. */
interface Expression {
  readonly name: string;
  /** `{+name}`: takes anything, not only one segment of a path. */
  readonly isOpen: boolean;
}

/** Literal texts with an expression between each two of them: there is always one literal more. */
interface Parts {
  readonly literals: readonly string[];
  readonly expressions: readonly Expression[];
}

const VARIABLE = /^\+?[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/;

/** Reads a template. Of RFC 6570 it knows what can be read back without a doubt: `{name}` and `{+name}`. */
export function parseUriTemplate(template: string, owner: string): UriTemplate {
  const parts = readParts(template, owner);
  assertReadable(parts, owner);
  return {
    variables: parts.expressions.map(({ name }) => name),
    match: (uri) => match(parts, uri),
  };
}

function readParts(template: string, owner: string): Parts {
  const literals: string[] = [];
  const expressions: Expression[] = [];
  const [first = '', ...others] = template.split('{');
  literals.push(first);
  for (const other of others) {
    const close = other.indexOf('}');
    const expression = other.slice(0, Math.max(close, 0));
    if (close === -1 || !VARIABLE.test(expression)) {
      const shown = close === -1 ? `{${other.slice(0, 40)}` : `{${expression}}`;
      throw new DefinitionError(
        `${owner}: the expression ${shown} is not supported. Use {name} for one segment of the path, or {+name} for anything.`,
      );
    }
    const isOpen = expression.startsWith('+');
    expressions.push({ name: isOpen ? expression.slice(1) : expression, isOpen });
    literals.push(other.slice(close + 1));
  }
  return { literals, expressions };
}

function assertReadable({ literals, expressions }: Parts, owner: string): void {
  if (expressions.length === 0)
    throw new DefinitionError(`${owner}: the template has no {variable}. Use uri in place of uriTemplate.`);
  if (literals.some((literal) => literal.includes('}')))
    throw new DefinitionError(`${owner}: the template has a "}" without "{".`);
  if (literals.slice(1, -1).includes('')) {
    throw new DefinitionError(
      `${owner}: two expressions of the template touch each other. Put a text such as "/" between them.`,
    );
  }
  const names = expressions.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new DefinitionError(`${owner}: the template has the variable "${twice}" twice.`);
  if (expressions.filter(({ isOpen }) => isOpen).length > 1) {
    throw new DefinitionError(
      `${owner}: the template has more than one {+name}; where one ends and the next begins could not be said.`,
    );
  }
}

/**
 * From the left up to the expression that takes anything, then from the right down to it. Each literal is looked for once and as near
 * as it can be: a segment that ends at a later place could only take in more, so nothing is missed.
 */
function match({ literals, expressions }: Parts, uri: string): Record<string, string> | undefined {
  const [first = ''] = literals;
  const last = literals.at(-1) ?? '';
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
    if (value === undefined || (!isOpen && !isSegment(value))) return undefined;
    values.push([name, value]);
  }
  return Object.fromEntries(values);
}

/** Decoded, it must still be one segment: whoever makes a path of it must not end up elsewhere. */
function isSegment(value: string): boolean {
  return value !== '.' && value !== '..' && !/[/\\]/.test(value);
}

function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
