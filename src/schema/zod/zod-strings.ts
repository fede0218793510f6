import { isSilent, Range } from './zod-checks.ts';
import type { CheckDefinition, Document, ZodCheck } from './zod-checks.ts';

/** Where the expressions are noted that validation runs. */
export interface PatternNote {
  readonly expressions: RegExp[];
}

/** Formats that JSON Schema has another word for; none for one that only has a pattern. */
const FORMATS: ReadonlyMap<string, string | undefined> = new Map([
  ['guid', 'uuid'],
  ['url', 'uri'],
  ['datetime', 'date-time'],
  ['json_string', 'json-string'],
  ['regex', undefined],
  // Without an offset it is no time of JSON Schema.
  ['time', undefined],
]);

/** Zod advertises another pattern for them than it runs. */
const ENCODINGS: ReadonlySet<string> = new Set(['base64', 'base64url']);

/** Adds what checks say of a string. Undefined when there are checks of another kind. */
export function addStringChecks(
  document: Document,
  def: CheckDefinition & { checks?: readonly ZodCheck[] },
  note: PatternNote,
): Document | undefined {
  if (def.check === undefined && def.checks === undefined) return document;
  const text = new StringChecks(note);
  if (def.check !== undefined && !text.add(def)) return undefined;
  for (const { _zod } of def.checks ?? []) if (!text.add(_zod.def) && !isSilent(_zod.def)) return undefined;
  return text.writeTo(document);
}

class StringChecks {
  readonly #note: PatternNote;
  readonly #range = new Range();
  readonly #patterns = new Set<RegExp>();
  #format: string | undefined;
  #isLax = false;

  constructor(note: PatternNote) {
    this.#note = note;
  }

  /** Whether the check is known. */
  add(check: CheckDefinition): boolean {
    if (check.check !== 'string_format') return this.#range.addLength(check);
    const { format, pattern, hostname, protocol, local, precision } = check;
    if (format === undefined || ENCODINGS.has(format)) return false;
    this.#format = format;
    // It accepts what the format of JSON Schema does not.
    if (local === true || precision === -1) this.#isLax = true;
    if (pattern !== undefined) this.#patterns.add(pattern);
    for (const each of [pattern, hostname, protocol])
      if (each !== undefined) this.#note.expressions.push(each);
    return true;
  }

  writeTo(document: Document): Document {
    this.#range.writeTo(document, ['minLength', 'maxLength']);
    const format = this.#format;
    const shown = format !== undefined && FORMATS.has(format) ? FORMATS.get(format) : format;
    if (shown !== undefined && !this.#isLax) document['format'] = shown;
    const sources = Array.from(this.#patterns, ({ source }) => source);
    if (sources.length === 1) [document['pattern']] = sources;
    else if (sources.length > 1) document['allOf'] = sources.map((pattern) => ({ pattern }));
    return document;
  }
}
