import { assertOptions, isListOf, NON_EMPTY, required, STRING } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { ToolwrightError } from '../../errors/errors.ts';
import { REDACTED } from '../../errors/sanitize.ts';
import { isCallToolResult, isContentBlock, isContentList } from '../../format/content.ts';
import { createSuccess, responseKind } from '../../format/tool-response.ts';
import type { SuccessResponse } from '../../format/tool-response.ts';
import type { McpCallToolResult, McpContentBlock } from '../../model/mcp-types.ts';
import { parseSecretPaths } from '../../schema/issues/secret-paths.ts';
import type { SecretPath } from '../../schema/issues/secret-paths.ts';
import type { Middleware } from '../middleware.ts';
import { asPassed } from '../parts/call-outcome.ts';
import { HiddenTexts, redactDocument } from '../texts/redact-text.ts';
import { copyPlain, copyRedacted } from '../texts/redact-value.ts';

/** Options of {@link redaction}. */
export interface RedactionOptions {
  /** Paths from the root of the returned value: `user.ssn`, `users.*.token`. Array indexes may be omitted. */
  readonly paths: readonly string[];
  /** Replacement for a hidden value. Default: `'[redacted]'`. */
  readonly censor?: string;
}

const OPTIONS: Rules<keyof RedactionOptions> = {
  paths: required([isListOf(NON_EMPTY[0]), "an array of paths, such as ['user.ssn']"]),
  censor: STRING,
};

/**
 * Hides parts of every result: of returned values, of `success(…)` and of complete results. The text of a `success` is dropped if it
 * contains a hidden value. In the texts of complete results, JSON is redacted by path, and other texts have every hidden value of four or
 * more characters replaced. The result is a copy; the handler's objects stay unchanged.
 *
 * Fails closed: a result that cannot be traversed is not sent. Thrown errors and `error(…)` are not results and pass. The replacement is a
 * string: the output schema must allow it where a number is hidden.
 *
 * @example
 * const registry = new ToolRegistry().use(redaction({ paths: ['user.ssn', 'users.*.token'] }));
 */
export function redaction(options: RedactionOptions): Middleware {
  assertOptions('redaction', options, OPTIONS);
  const { paths, censor = REDACTED } = options;
  const secrets = parseSecretPaths(paths);
  return async ({ next }) => {
    const returned = await next();
    try {
      const passed = asPassed(returned);
      // Not a result; the chain rejects it.
      if (passed === undefined) return returned;
      return passed.withValue(new ResultRedactor(secrets, censor).redact(passed.value));
    } catch {
      // Without a cause: a thrown error may quote the hidden value and is logged.
      throw new ToolwrightError('INVALID_OUTPUT', 'The result could not be redacted and is not sent.');
    }
  };
}

/** Members of content blocks that are not readable text: data, and terms of the protocol. */
const NO_TEXT: ReadonlySet<string> = new Set(['type', 'mimeType', 'data', 'blob', 'annotations']);

class ResultRedactor {
  readonly #hidden = new HiddenTexts();
  readonly #rules: Parameters<typeof copyRedacted>[1];
  /** Patterns of hidden field names in text: `"ssn":`, `ssn =`. */
  readonly #mentions: readonly RegExp[];

  constructor(secrets: readonly SecretPath[], censor: string) {
    this.#mentions = secrets.flatMap(toMention);
    this.#rules = { secrets, censor, onHidden: (text) => this.#hidden.add(text) };
  }

  redact(value: unknown): unknown {
    const kind = responseKind(value);
    if (kind === 'error') return value;
    if (kind === undefined) return this.#bare(value);
    const { value: bare, text, format, meta } = value as SuccessResponse;
    const redacted = this.#bare(bare);
    return createSuccess({
      value: redacted,
      ...(text === undefined || this.#hidden.isIn(text) || this.#names(text) ? {} : { text }),
      ...(format === undefined ? {} : { format }),
      ...(meta === undefined ? {} : { meta: this.#blank(copyPlain(meta)) as Record<string, unknown> }),
    });
  }

  #bare(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    const copy = copyPlain(value);
    if (isCallToolResult(copy) && (copy.structuredContent !== undefined || copy.isError === true))
      return this.#result(copy);
    // Only the output schema could tell content from data that looks like it, so it is redacted as both.
    const redacted = this.#byPath(copy);
    if (isCallToolResult(redacted)) return this.#result(redacted);
    if (isContentBlock(redacted)) return this.#blocks([redacted])[0];
    return isContentList(redacted) ? this.#blocks(redacted) : redacted;
  }

  #result(result: McpCallToolResult): unknown {
    const { content, structuredContent, ...others } = result;
    // Before the texts, because values hidden here are searched for there.
    const structured =
      structuredContent === undefined ? {} : { structuredContent: this.#byPath(structuredContent) };
    return { ...(this.#blank(others) as object), content: this.#blocks(content), ...structured };
  }

  #blocks(blocks: readonly McpContentBlock[]): unknown[] {
    // Documents first, for the same reason.
    const documents = blocks.map((block) => this.#document(block));
    return blocks.map((block, index) => {
      const text = documents[index];
      if (this.#isNamedBy(block)) return { type: 'text', text: this.#rules.censor };
      if (block.type !== 'resource')
        return { ...this.#blankMembers(block), ...(text === undefined ? {} : { text }) };
      const resource = { ...this.#blankMembers(block.resource), ...(text === undefined ? {} : { text }) };
      return { ...this.#blankMembers(block), resource };
    });
  }

  /** Whether the URI, name or another short text of a link or resource contains a hidden value; such a block is dropped. */
  #isNamedBy(block: McpContentBlock): boolean {
    if (block.type !== 'resource_link' && block.type !== 'resource') return false;
    const {
      text: _text,
      blob: _blob,
      ...others
    }: Readonly<Record<string, unknown>> = {
      ...block,
      ...(block.type === 'resource' ? block.resource : {}),
    };
    return Object.values(others).some((member) => typeof member === 'string' && this.#names(member));
  }

  #document(block: McpContentBlock): string | undefined {
    if (block.type === 'text') return this.#documentOrNothing(block.text);
    if (block.type !== 'resource') return undefined;
    if ('text' in block.resource) return this.#documentOrNothing(block.resource.text);
    // Bytes cannot be redacted. If they are text with a hidden field, the result is not sent.
    if (this.#names(decode(block.resource.blob))) throw new TypeError('The bytes name a hidden field.');
    return undefined;
  }

  /** The redacted document; undefined for a text that cannot be parsed and contains a hidden field. */
  #documentOrNothing(text: string): string | undefined {
    return redactDocument(text, this.#rules) ?? (this.#names(text) ? this.#rules.censor : undefined);
  }

  #text(text: string): string {
    return this.#documentOrNothing(text) ?? text;
  }

  #names(text: string): boolean {
    return this.#mentions.some((mention) => mention.test(text));
  }

  #byPath(value: unknown): unknown {
    return copyRedacted(value, this.#rules);
  }

  #blankMembers(members: object): object {
    return Object.fromEntries(
      Object.entries(members).map(([key, member]) => [key, NO_TEXT.has(key) ? member : this.#blank(member)]),
    );
  }

  #blank(value: unknown): unknown {
    return this.#hidden.blankAll(value, this.#rules.censor);
  }
}

function toMention(path: SecretPath): RegExp[] {
  const key = path.findLast((part) => part !== '*');
  if (key === undefined) return [];
  const escaped = key.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  // Quotes before the key need no pattern: the lookbehind already allows them.
  return [new RegExp(String.raw`(?<![\w-])${escaped}["'\`\\]*\s*[:=]`, 'i')];
}

/** Bytes decoded as text. */
function decode(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return '';
  }
}
