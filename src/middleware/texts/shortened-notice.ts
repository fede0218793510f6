import { formatPath } from '../../errors/issue.ts';
import { byteLength } from '../parts/byte-length.ts';
import type { Cut } from './shorten-json.ts';

/** The key under `_meta` with the details of a shortened result. */
export const SHORTENED_META_KEY = 'toolwright/shortened';

/** Remaining size of a shortened array or string; the path of the whole result is empty. */
export interface ShortenedPart {
  readonly path: string;
  readonly kept: number;
  readonly total: number;
}

/** The missing parts of a shortened result; at most {@link MAX_PARTS} of each kind. */
export interface ShortenedDetails {
  /** The original size. */
  readonly bytes: number;
  readonly maxBytes: number;
  /** Arrays, counted in elements. */
  readonly lists: readonly ShortenedPart[];
  /** Strings, counted in UTF-16 units. */
  readonly texts: readonly ShortenedPart[];
  /** Number of parts that are not listed. */
  readonly unnamed?: number;
}

/** Maximum number of parts in the data, and in the line of text. */
const MAX_PARTS = 20;
const MAX_PARTS_IN_WORDS = 3;
const MAX_PATH = 100;

/** The missing parts as data. */
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

/** The missing parts as a line of text; without the parts if they would take half of the space. */
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
