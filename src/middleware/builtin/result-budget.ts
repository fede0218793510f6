import { assertOptions, required, STRING, wholeNumber } from '../../errors/options/rules.ts';
import { wrongValue } from '../../errors/options/wrong-value.ts';
import { CallRefusedError } from '../../errors/errors.ts';
import { isCallToolResult, isContentBlock, isContentList } from '../../format/content.ts';
import { ResponseFormatter } from '../../format/response-formatter.ts';
import { serialize } from '../../format/serialize.ts';
import { createSuccess, responseKind } from '../../format/tool-response.ts';
import type { SuccessResponse } from '../../format/tool-response.ts';
import type { McpCallToolResult } from '../../model/mcp-types.ts';
import type { Middleware } from '../middleware.ts';
import { byteLength } from '../parts/byte-length.ts';
import { asPassed } from '../parts/call-outcome.ts';
import { measure } from '../parts/measured-json.ts';
import { shortenMeasured } from '../texts/shorten-json.ts';
import { shortenContent, shortenStructured, shortenText, sizeOfContent } from '../texts/shorten-result.ts';
import { SHORTENED_META_KEY, toDetails, toNotice } from '../texts/shortened-notice.ts';
import type { ShortenedDetails } from '../texts/shortened-notice.ts';

/** Options of {@link resultBudget}. */
export interface ResultBudgetOptions {
  /** Maximum size of a result in bytes: of the text including the notice, and of the structured value, each separately. At least 512. */
  readonly maxBytes: number;
  /** Instruction to fetch the rest, shown in the notice: ``Use `offset` to read on.`` */
  readonly hint?: string;
}

/**
 * Shortens results that are too large instead of rejecting them. They stay valid JSON: arrays lose elements from their end, the largest
 * first, and strings are cut only if that does not suffice. The text ends with a line that names what is missing and how to fetch it;
 * `_meta['toolwright/shortened']` contains the same as data. A result that cannot be shortened enough is rejected with `RESULT_TOO_LARGE`.
 *
 * The output schema still applies: one with `minItems` may reject a shortened array.
 *
 * @example
 * const search = defineTool({
 *   name: 'search',
 *   middleware: [resultBudget({ maxBytes: 20_000, hint: 'Use `offset` to read on.' })],
 *   ...
 * });
 */
export function resultBudget(options: ResultBudgetOptions): Middleware {
  assertOptions('resultBudget', options, { maxBytes: required(wholeNumber(512)), hint: STRING });
  const { maxBytes, hint } = options;
  if (byteLength(hint ?? '') > maxBytes / 4)
    throw wrongValue('resultBudget', {
      option: 'hint',
      expected: `at most ${maxBytes / 4} bytes`,
      value: hint,
    });
  const budget: Budget = { maxBytes, hint, formatter: new ResponseFormatter() };
  return async ({ subject, next }) => {
    const returned = await next();
    const passed = asPassed(returned);
    if (passed === undefined) return returned;
    const fitted = fit(passed.value, budget);
    if (fitted === AS_IT_IS) return passed;
    if (fitted !== TOO_LARGE) return passed.withValue(fitted);
    throw new CallRefusedError(
      'RESULT_TOO_LARGE',
      `The result of '${subject.name}' is too large: it cannot be shortened to the limit of ${maxBytes} bytes. Request a smaller part of it.`,
      { suggestions: [hint ?? 'Ask for less: narrow the filter, or read the data in pages.'] },
    );
  };
}

interface Budget {
  readonly maxBytes: number;
  readonly hint: string | undefined;
  readonly formatter: ResponseFormatter;
}

const AS_IT_IS: unique symbol = Symbol('as it is');
const TOO_LARGE: unique symbol = Symbol('too large');

/** Larger results are not shortened: they must be serialized first, and may be endless. */
const MAX_SHORTENED = 8_388_608;

/** Shortening changes the notice, and formats differ in size, so a few rounds are needed. */
const MAX_ROUNDS = 8;

function fit(value: unknown, budget: Budget): unknown {
  const kind = responseKind(value);
  if (kind === 'error') return AS_IT_IS;
  const response = kind === 'success' ? (value as SuccessResponse) : createSuccess({ value });
  const bare = response.value;
  if (isCallToolResult(bare)) return fitResult(bare, response, budget);
  if (isContentBlock(bare)) return fitResult({ content: [bare] }, response, budget);
  if (isContentList(bare)) return fitResult({ content: bare }, response, budget);
  return typeof bare === 'string' ? fitString(bare, response, budget) : fitValue(bare, response, budget);
}

/** Retries with less room until the result fits with its notice. */
function inRounds<TResult>(
  maxBytes: number,
  attempt: (room: number) => Attempt<TResult>,
): TResult | typeof TOO_LARGE {
  let room = maxBytes;
  for (let round = 1; round <= MAX_ROUNDS && room > 0; round += 1) {
    const { result, used, excess, bytesPerRoom = 1 } = attempt(room);
    if (result === undefined) return TOO_LARGE;
    if (excess <= 0) return result;
    // Based on the used size: slightly less room may change nothing.
    room = Math.min(room - 1, used - Math.ceil(excess / bytesPerRoom));
    // The notice takes at most half of the budget.
    if (round === MAX_ROUNDS - 1) room = Math.min(room, Math.floor((maxBytes / 2 - 1) / bytesPerRoom));
  }
  return TOO_LARGE;
}

interface Attempt<TResult> {
  /** Undefined if nothing fits into the room. */
  readonly result: TResult | undefined;
  /** Size of the result without its notice. */
  readonly used: number;
  /** Excess bytes of the text including its notice. */
  readonly excess: number;
  /** Ratio of text size to room, which is counted in bytes of JSON. Default: 1. */
  readonly bytesPerRoom?: number;
}

const FAILED: Attempt<never> = { result: undefined, used: 0, excess: 0 };

function fitValue(bare: unknown, response: SuccessResponse, { maxBytes, hint, formatter }: Budget): unknown {
  const serialized = serialize(bare, { maxBytes: Math.max(maxBytes, MAX_SHORTENED) });
  // A value without a JSON form is rejected later, with the reason.
  if (!serialized.ok) return serialized.isTooLarge ? TOO_LARGE : AS_IT_IS;
  const { format: as } = response;
  const write = (value: unknown): string => formatter.format(value, as === undefined ? {} : { as });
  const text = response.text ?? (as === undefined ? serialized.json : write(bare));
  const bytes = Math.max(byteLength(serialized.json), byteLength(text));
  if (bytes <= maxBytes) return AS_IT_IS;
  const measured = measure(JSON.parse(serialized.json));
  return inRounds<SuccessResponse>(maxBytes, (room) => {
    const given = response.text === undefined ? undefined : shortenText(response.text, room);
    // A separate text has the notice to itself.
    const value = shortenMeasured(measured, given === undefined ? room : maxBytes);
    if (value === undefined || (response.text !== undefined && given === undefined)) return FAILED;
    const texts = [...value.texts, ...(given?.texts ?? [])];
    const details = toDetails({ bytes, maxBytes }, [...value.lists, ...(given?.lists ?? [])], texts);
    const body = given?.value ?? write(value.value);
    const said = `${body}\n${toNotice(details, hint)}`;
    const result = shortenedSuccess(response, { value: value.value, text: said, details });
    const used = byteLength(given?.value ?? JSON.stringify(value.value));
    return { result, used, excess: byteLength(said) - maxBytes, bytesPerRoom: byteLength(body) / used };
  });
}

function fitString(bare: string, response: SuccessResponse, { maxBytes, hint }: Budget): unknown {
  const text = response.text ?? bare;
  const bytes = Math.max(byteLength(text), byteLength(bare));
  if (bytes <= maxBytes) return AS_IT_IS;
  return inRounds<SuccessResponse>(maxBytes, (room) => {
    const value = shortenText(bare, response.text === undefined ? room : maxBytes);
    const given = shortenText(text, room);
    if (value === undefined || given === undefined) return FAILED;
    const cuts = response.text === undefined ? [value] : [value, given];
    const details = toDetails(
      { bytes, maxBytes },
      cuts.flatMap(({ lists }) => lists),
      cuts.flatMap(({ texts }) => texts),
    );
    const said = `${given.value}\n${toNotice(details, hint)}`;
    const result = shortenedSuccess(response, { value: value.value, text: said, details });
    return { result, used: byteLength(given.value), excess: byteLength(said) - maxBytes };
  });
}

function shortenedSuccess(
  { format, meta }: SuccessResponse,
  { value, text, details }: { value: unknown; text: string; details: ShortenedDetails },
): SuccessResponse {
  return createSuccess({
    value,
    text,
    ...(format === undefined ? {} : { format }),
    meta: { ...meta, [SHORTENED_META_KEY]: details },
  });
}

/** Shortens a complete result. The notice is a separate block, so that JSON text stays JSON. */
function fitResult(
  result: McpCallToolResult,
  { meta }: SuccessResponse,
  { maxBytes, hint }: Budget,
): unknown {
  const serialized = serialize(result, { maxBytes: Math.max(maxBytes, MAX_SHORTENED) });
  if (!serialized.ok) return serialized.isTooLarge ? TOO_LARGE : AS_IT_IS;
  const plain = JSON.parse(serialized.json) as McpCallToolResult;
  const structuredBytes =
    plain.structuredContent === undefined ? 0 : byteLength(JSON.stringify(plain.structuredContent));
  const bytes = Math.max(sizeOfContent(plain.content), structuredBytes);
  if (bytes <= maxBytes) return AS_IT_IS;
  return inRounds<McpCallToolResult>(maxBytes, (room) => {
    const content = shortenContent(plain.content, room);
    const structured = shortenStructured(plain, maxBytes);
    if (content === undefined || structured === undefined) return FAILED;
    const lists = [...structured.lists, ...content.lists];
    const details = toDetails({ bytes, maxBytes }, lists, [...structured.texts, ...content.texts]);
    const blocks = [...content.value, { type: 'text' as const, text: toNotice(details, hint) }];
    const shortened = {
      ...plain,
      ...structured.value,
      content: blocks,
      _meta: { ...plain._meta, ...meta, [SHORTENED_META_KEY]: details },
    };
    const used = sizeOfContent(content.value);
    return { result: shortened, used, excess: sizeOfContent(blocks) - maxBytes };
  });
}
