import { DefinitionError } from '../errors/errors.ts';
import { didYouMean } from '../errors/nearest-names.ts';

/** What a template is checked against. */
export interface TemplateOwner {
  /** Names the prompt in messages. */
  readonly owner: string;
  /** The arguments there are. */
  readonly names: readonly string[];
}

type Part = { readonly text: string } | { readonly argument: string };

/** Reads a text with `{{argument}}` placeholders once; what it gives fills them in. */
export function compilePromptTemplate(template: string, owner: TemplateOwner): (input: object) => string {
  const parts = readParts(template, owner);
  // Joined, never read again: braces in a value are data.
  return (input) => parts.map((part) => ('text' in part ? part.text : toText(input, part.argument))).join('');
}

function readParts(template: string, { owner, names }: TemplateOwner): Part[] {
  const parts: Part[] = [];
  let rest = template;
  for (let open = rest.indexOf('{{'); open !== -1; open = rest.indexOf('{{')) {
    const close = rest.indexOf('}}', open);
    if (close === -1) {
      const place = rest.slice(open, open + 20);
      throw new DefinitionError(
        `${owner}: the template has a "{{" without "}}", at ${JSON.stringify(place)}.`,
      );
    }
    const argument = rest.slice(open + 2, close).trim();
    if (!names.includes(argument)) {
      const hint = didYouMean(argument, names);
      throw new DefinitionError(
        `${owner}: the template has the placeholder {{${argument}}}, which is no argument of the prompt.${hint}`,
      );
    }
    parts.push({ text: rest.slice(0, open) }, { argument });
    rest = rest.slice(close + 2);
  }
  return [...parts, { text: rest }];
}

function toText(input: object, argument: string): string {
  const value: unknown = Object.hasOwn(input, argument)
    ? (input as Readonly<Record<string, unknown>>)[argument]
    : undefined;
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : (JSON.stringify(value) ?? '');
}
