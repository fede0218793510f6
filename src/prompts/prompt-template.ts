import { DefinitionError } from '../errors/errors.ts';
import { didYouMean } from '../errors/nearest-names.ts';

/** The prompt of a template. */
export interface TemplateOwner {
  /** The prompt's name for messages. */
  readonly owner: string;
  /** The names of all arguments. */
  readonly names: readonly string[];
}

type Part = { readonly text: string } | { readonly argument: string };

/** Compiles a text with `{{argument}}` placeholders into a function that fills them in. */
export function compilePromptTemplate(template: string, owner: TemplateOwner): (input: object) => string {
  const parts = readParts(template, owner);
  // Joined without parsing again: braces in a value are data.
  return (input) => parts.map((part) => ('text' in part ? part.text : toText(input, part.argument))).join('');
}

/** A backslash before braces makes them literal, and a double backslash there is one; elsewhere a backslash is an ordinary character. */
function readParts(template: string, owner: TemplateOwner): Part[] {
  const parts: Part[] = [];
  let text = '';
  let from = 0;
  for (let open = template.indexOf('{{'); open !== -1; open = template.indexOf('{{', from)) {
    const slashes = countBackslashes(template, from, open);
    text += template.slice(from, open - Math.ceil(slashes / 2));
    if (slashes % 2 === 1) {
      text += '{{';
      from = open + 2;
      continue;
    }
    const close = template.indexOf('}}', open);
    parts.push({ text }, { argument: readArgument(template.slice(open), close - open, owner) });
    text = '';
    from = close + 2;
  }
  return [...parts, { text: text + template.slice(from) }];
}

function countBackslashes(template: string, from: number, end: number): number {
  let start = end;
  while (start > from && template[start - 1] === '\\') start -= 1;
  return end - start;
}

function readArgument(rest: string, close: number, { owner, names }: TemplateOwner): string {
  if (close < 0) {
    const excerpt = JSON.stringify(rest.slice(0, 20));
    throw new DefinitionError(
      `${owner}: the template has a "{{" without "}}", at ${excerpt}. For literal braces, write \\{{.`,
      { option: 'template' },
    );
  }
  const argument = rest.slice(2, close).trim();
  if (names.includes(argument)) return argument;
  const hint = didYouMean(argument, names);
  throw new DefinitionError(`${owner}: unknown argument {{${argument}}} in the template.${hint}`, {
    option: 'template',
    expected: names,
    received: argument,
  });
}

function toText(input: object, argument: string): string {
  const value: unknown = Object.hasOwn(input, argument)
    ? (input as Readonly<Record<string, unknown>>)[argument]
    : undefined;
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : (JSON.stringify(value) ?? '');
}
