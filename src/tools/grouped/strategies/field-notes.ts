import { agreedHeader, HEADER_KEYWORD, withoutHeaders } from '../../../schema/convert/header-arguments.ts';
import type { SchemaNode } from '../../../schema/nodes/json-node.ts';
import { sameJson } from '../../../base/json/same-json.ts';

/** One action's use of a field. */
export interface FieldUse {
  /** The action's key. */
  readonly key: string;
  readonly schema: SchemaNode;
  readonly required: boolean;
}

/** Options of the notes on a field. */
export interface NoteOptions {
  readonly isAlwaysRequired: boolean;
  /** Keys of all actions of the tool. */
  readonly keys: readonly string[];
}

/**
 * Merges the uses of a field by several actions. Different schemas are kept as alternatives, each with its actions.
 */
export function mergeField(uses: readonly FieldUse[], options: NoteOptions): SchemaNode {
  const variants: FieldUse[][] = [];
  for (const use of uses) {
    const alike = variants.find(([first]) => first !== undefined && isSameShape(first.schema, use.schema));
    if (alike === undefined) variants.push([use]);
    else alike.push(use);
  }
  const [first, ...others] = variants.map((group) =>
    mergeVariant(group, {
      ...options,
      isAlwaysRequired: options.isAlwaysRequired && variants.length === 1,
    }),
  );
  // Clients use it only on the argument itself; all actions must agree on it.
  const header = agreedHeader(uses.map(({ schema }) => schema));
  const said = header === undefined ? {} : { [HEADER_KEYWORD]: header };
  if (first !== undefined && others.length === 0) return { ...first, ...said };
  const anyOf = [first, ...others].map((variant) => withoutHeaders(variant ?? {}, () => false));
  return header === undefined ? { anyOf } : { type: uses[0]?.schema['type'], ...said, anyOf };
}

function isSameShape(a: SchemaNode, b: SchemaNode): boolean {
  return sameJson(splitWords(a).shape, splitWords(b).shape);
}

interface Words {
  readonly title?: unknown;
  readonly description?: unknown;
  readonly default?: unknown;
  readonly examples?: unknown;
}

/** Splits a schema into its annotations (title, description and so on) and its constraints. */
function splitWords(schema: SchemaNode): { readonly words: Words; readonly shape: SchemaNode } {
  const {
    title,
    description,
    default: fallback,
    examples,
    [HEADER_KEYWORD]: _header,
    ...shape
  } = schema as Record<string, unknown>;
  return { words: { title, description, default: fallback, examples }, shape };
}

function mergeVariant(uses: readonly FieldUse[], options: NoteOptions): SchemaNode {
  const [first] = uses;
  const words = uses.map(({ schema }) => splitWords(schema).words);
  const title = sharedWord(words, 'title');
  const fallback = sharedWord(words, 'default');
  const examples = words.flatMap((word) =>
    Array.isArray(word.examples) ? (word.examples as unknown[]) : [],
  );
  const different = examples.filter(
    (one, index) => examples.findIndex((other) => sameJson(other, one)) === index,
  );
  return {
    ...(first === undefined ? {} : splitWords(first.schema).shape),
    ...(title === undefined ? {} : { title }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(different.length === 0 ? {} : { examples: different }),
    description: describeUses(uses, options),
  };
}

/** The value that all have in common. */
function sharedWord(words: readonly Words[], word: keyof Words): unknown {
  const value = words[0]?.[word];
  return words.every((other) => sameJson(other[word], value)) ? value : undefined;
}

/** Each description once, followed by its actions. */
function describeUses(uses: readonly FieldUse[], { isAlwaysRequired, keys }: NoteOptions): string {
  const groups = new Map<string, FieldUse[]>();
  for (const use of uses) {
    const { description } = use.schema as { description?: unknown };
    const text = typeof description === 'string' ? description.trim() : '';
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [use]);
    else group.push(use);
  }
  const lines = [...groups].map(([text, group]) => {
    if (isAlwaysRequired && groups.size === 1)
      return text === '' ? '(always required)' : `${text} (always required)`;
    const note = noteOf(group, keys);
    return text === '' ? note : `${text}${/[.!?\u2026]$/.test(text) ? '' : '.'} ${note}`;
  });
  return lines.join('\n');
}

/** Maximum number of actions in a note; above it, a note about most actions lists the exceptions. */
const MAX_LISTED = 10;

function noteOf(uses: readonly FieldUse[], keys: readonly string[]): string {
  const actionsOf = (group: readonly FieldUse[]): string =>
    nameActions(new Set(group.map(({ key }) => key)), keys);
  const required = actionsOf(uses.filter((use) => use.required));
  const optional = actionsOf(uses.filter((use) => !use.required));
  if (optional === '') return `Required for: ${required}`;
  return required === '' ? `For: ${optional}` : `Required for: ${required}. For: ${optional}`;
}

function nameActions(meant: ReadonlySet<string>, keys: readonly string[]): string {
  const others = keys.filter((key) => !meant.has(key));
  if (keys.length <= MAX_LISTED || others.length > meant.size) return [...meant].join(', ');
  return others.length === 0 ? 'all actions' : `all actions except ${others.join(', ')}`;
}
