import { isObject } from '../../base/is-object.ts';
import { UsageError } from '../terminal/command.ts';
import { typeOf } from '../terminal/schema-fields.ts';
import { harmless, oneLine } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Result = Readonly<Record<string, unknown>>;

/** Thrown when a server asks for input and there is neither a terminal nor an `--answer`. */
export class UnansweredError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnansweredError';
  }
}

/** A field of a form. */
interface Field {
  readonly name: string;
  readonly schema: Result;
  readonly isRequired: boolean;
}

/** Maximum number of invalid inputs for one field; after that the elicitation is cancelled. */
const MAX_ATTEMPTS = 10;
const CANCEL = { action: 'cancel' } as const;

/** Answers elicitation requests: first from `--answer`, then from the terminal. */
export class Answers {
  readonly #terminal: Terminal;
  /** Values of `--answer` by field. Each is used once; the last one is used for all later requests. */
  readonly #given = new Map<string, string[]>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(terminal: Terminal, words: readonly string[]) {
    this.#terminal = terminal;
    for (const word of words) {
      const split = word.indexOf('=');
      if (split < 1) throw new UsageError(`Invalid --answer "${word}": write --answer name=value.`);
      const name = word.slice(0, split);
      this.#given.set(name, [...(this.#given.get(name) ?? []), word.slice(split + 1)]);
    }
  }

  /** Whether to declare the elicitation capability: servers send elicitation requests only to clients that declare it. */
  get canAnswer(): boolean {
    return this.#terminal.ask !== undefined || this.#given.size > 0;
  }

  /** Returns the result of `elicitation/create`. Requests are handled one at a time. */
  readonly elicit = (params: Result): Promise<Result> => {
    this.#terminal.status?.('');
    const answer = this.#last.then(() =>
      params['mode'] === 'url' ? this.#visit(params) : this.#fillIn(params),
    );
    this.#last = answer.catch(() => {});
    return answer;
  };

  async #visit({ message, url }: Result): Promise<Result> {
    const { ask, err, paintErr } = this.#terminal;
    if (ask === undefined)
      throw new UnansweredError(
        `The server asks you to open ${oneLine(url)} (${oneLine(message)}). Run the command in a terminal.`,
      );
    err(`${paintErr.yellow('?')} ${asText(message)}\n  ${oneLine(url)}`);
    const answer = await ask(
      '  Open this page in a browser, then press Enter (n declines, Ctrl-D cancels): ',
    );
    if (answer === undefined) return CANCEL;
    return { action: /^n(?:o)?$/i.test(answer.trim()) ? 'decline' : 'accept' };
  }

  async #fillIn({ message, requestedSchema }: Result): Promise<Result> {
    const { ask, err, paintErr } = this.#terminal;
    const fields = fieldsOf(requestedSchema);
    const isAnswered = fields.length > 0 && fields.every(({ name }) => this.#given.has(name));
    if (!isAnswered && ask !== undefined) err(`${paintErr.yellow('?')} ${asText(message)}`);
    if (fields.length === 0) return this.#agree(message);
    const content: Record<string, unknown> = {};
    for (const field of fields) {
      const value = await this.#valueOf(field, message);
      if (value === undefined) return CANCEL;
      if ('value' in value) content[field.name] = value.value;
    }
    return { action: 'accept', content };
  }

  /** A form without fields asks for consent alone. */
  async #agree(message: unknown): Promise<Result> {
    const { ask } = this.#terminal;
    if (ask === undefined)
      throw new UnansweredError(`The server asks "${oneLine(message)}". Run the command in a terminal.`);
    const answer = await ask('  Accept? (y/n, Ctrl-D cancels): ');
    if (answer === undefined) return CANCEL;
    return /^y(?:es)?$/i.test(answer.trim()) ? { action: 'accept', content: {} } : { action: 'decline' };
  }

  /** Returns undefined if the user cancels, and an object without `value` if the field is omitted. */
  async #valueOf(field: Field, message: unknown): Promise<{ readonly value?: unknown } | undefined> {
    const { name, schema, isRequired } = field;
    const given = this.#given.get(name);
    const text = given !== undefined && given.length > 1 ? given.shift() : given?.[0];
    if (text !== undefined) {
      const read = readField(text, schema);
      if ('problem' in read) throw new UsageError(`Invalid --answer ${name}=${text}: ${read.problem}.`);
      return read;
    }
    if (this.#terminal.ask !== undefined) return this.#ask(field);
    if (schema['default'] !== undefined) return { value: schema['default'] };
    if (!isRequired) return {};
    throw new UnansweredError(
      `The server asks "${oneLine(message)}" and needs "${oneLine(name)}". Add --answer ${oneLine(name)}=<${typeOf(schema)}>, or run the command in a terminal.`,
    );
  }

  async #ask({ name, schema, isRequired }: Field): Promise<{ readonly value?: unknown } | undefined> {
    const { ask, err, paintErr } = this.#terminal;
    const { default: initial } = schema;
    const about = [typeOf(schema), oneLine(schema['description'] ?? schema['title'])]
      .filter(Boolean)
      .join(', ');
    const empty =
      initial !== undefined ? ` [${oneLine(JSON.stringify(initial))}]` : isRequired ? '' : ' [omit]';
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const text = await ask?.(`  ${oneLine(name)} (${about})${empty}: `);
      if (text === undefined) return undefined;
      if (text === '' && initial !== undefined) return { value: initial };
      if (text === '' && !isRequired) return {};
      const read = readField(text, schema);
      if ('value' in read) return read;
      err(`  ${paintErr.red(read.problem)}`);
    }
    return undefined;
  }
}

/** The message without control characters; an empty string if it is not a string. */
function asText(message: unknown): string {
  return typeof message === 'string' ? harmless(message) : '';
}

function fieldsOf(requestedSchema: unknown): Field[] {
  const { properties, required } = (requestedSchema ?? {}) as Result;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries((properties ?? {}) as Result).map(([name, schema]) => ({
    name,
    schema: isObject(schema) ? schema : {},
    isRequired: needed.includes(name),
  }));
}

/** Converts typed text to the type of a field. The server validates everything else. */
function readField(text: string, schema: Result): { readonly value: unknown } | { readonly problem: string } {
  const { type, items } = schema;
  if (type === 'array') {
    const parts = text.split(',').map((part) => readField(part.trim(), (items ?? {}) as Result));
    const wrong = parts.find((part) => 'problem' in part);
    return wrong ?? { value: parts.map((part) => (part as { value: unknown }).value) };
  }
  const choices = choicesOf(schema);
  if (choices !== undefined)
    return choices.includes(text) ? { value: text } : { problem: `expected one of ${choices.join(', ')}` };
  if (type === 'boolean') {
    if (/^(?:y|yes|true)$/i.test(text.trim())) return { value: true };
    if (/^(?:n|no|false)$/i.test(text.trim())) return { value: false };
    return { problem: 'expected yes or no' };
  }
  if (type === 'integer' || type === 'number') {
    const value = Number(text);
    const isFine =
      text.trim() !== '' && (type === 'integer' ? Number.isInteger(value) : Number.isFinite(value));
    return isFine
      ? { value }
      : { problem: type === 'integer' ? 'expected a whole number' : 'expected a number' };
  }
  return { value: text };
}

/** `enum`, or `oneOf` and `anyOf` with a title for each. */
function choicesOf({ enum: values, oneOf, anyOf }: Result): readonly string[] | undefined {
  const titled = oneOf ?? anyOf;
  const listed = Array.isArray(values)
    ? (values as unknown[])
    : Array.isArray(titled)
      ? titled.map((each) => (each as Result | null)?.['const'])
      : [];
  const texts = listed.filter((each) => typeof each === 'string');
  return texts.length === 0 ? undefined : texts;
}
