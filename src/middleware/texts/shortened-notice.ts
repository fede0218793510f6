import { formatPath } from '../../errors/issue.ts';
import { byteLength } from '../parts/byte-length.ts';
import type { Cut } from './shorten-json.ts';

/** The key under `_meta` that tells programs what is missing from a shortened result. */
export const SHORTENED_META_KEY = 'toolwright/shortened';

/** How much of a list or a text is left; the path of the whole result is empty. */
export interface ShortenedPart {
  readonly path: string;
  readonly kept: number;
  readonly total: number;
}

/** What is missing from a shortened result. At most {@link MAX_PARTS} of each kind are named. */
export interface ShortenedDetails {
  /** The size before. */
  readonly bytes: number;
  readonly maxBytes: number;
  /** Lists, counted in elements. */
  readonly lists: readonly ShortenedPart[];
  /** Texts, counted in UTF-16 units. */
  readonly texts: readonly ShortenedPart[];
  /** How many parts are not named. */
  readonly unnamed?: number;
}

/** Parts that are named for programs, and those in the line for people. */
const MAX_PARTS = 20;
const MAX_PARTS_IN_WORDS = 3;
const MAX_PATH = 100;

/** What is missing, for programs. */
export function toDetails(
  sizes: { readonly bytes: number; readonly maxBytes: number },
  lists: readonly Cut[],
  texts: readonly Cut[],
): ShortenedDetails {
  const unnamed = Math.max(0, lists.length - MAX_PARTS) + Math.max(0, texts.length - MAX_PARTS);
  return {
    ...sizes,
    lists: lists.slice(0, MAX_PARTS).map(toPart),
    texts: texts.slice(0, MAX_PARTS).map(toPart),
    ...(unnamed === 0 ? {} : { unnamed }),
  };
}

/** What is missing, in a line for whoever reads the text; without the parts where naming them would take half the room. */
export function toNotice(details: ShortenedDetails, hint: string | undefined): string {
  const { lists, texts, unnamed = 0, bytes, maxBytes } = details;
  const parts = [
    ...lists.map((part) => `${part.kept} of ${part.total} elements${ofPath(part)}`),
    ...texts.map((part) => `${part.kept} of ${part.total} characters${ofPath(part)}`),
  ];
  const others = parts.length + unnamed - MAX_PARTS_IN_WORDS;
  const said = parts.slice(0, MAX_PARTS_IN_WORDS).join(', ') + (others > 0 ? ` and ${others} more` : '');
  const start = `[Shortened from ${bytes} bytes to at most ${maxBytes}`;
  const end = hint === undefined ? '.]' : `. ${hint}]`;
  const notice = `${start}: ${said}${end}`;
  return byteLength(notice) <= maxBytes / 2 ? notice : start + end;
}

function ofPath({ path }: ShortenedPart): string {
  return path === '' ? '' : ` of ${path}`;
}

function toPart({ path, kept, total }: Cut): ShortenedPart {
  const text = path.length === 0 ? '' : formatPath(path);
  return { path: text.length > MAX_PATH ? `${text.slice(0, MAX_PATH)}…` : text, kept, total };
}
