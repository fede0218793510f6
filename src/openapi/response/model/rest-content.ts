import { findCut, splitsPair } from './cut-text.ts';

/** Content that is returned in parts. */
export type RestContent =
  | { readonly kind: 'text'; readonly text: string }
  /** An array as JSON of each element, and the path of members to it. */
  | { readonly kind: 'list'; readonly path: readonly string[]; readonly elements: readonly string[] };

/** Start of a part. `element` is 0 in texts; `char` is not 0 within an element that is too long for one part. */
export interface Position {
  readonly element: number;
  readonly char: number;
}

/** One part. */
export interface Piece {
  readonly text: string;
  /** Whether the text is a fragment and not valid JSON by itself. */
  readonly isFragment: boolean;
  /** `elements 1–40 of 1,000`. */
  readonly shown: string;
  /** Start of the next part; undefined after the last one. */
  readonly next: Position | undefined;
}

/** The part that starts at this position; undefined if the position does not exist. */
export function takePiece(content: RestContent, from: Position, maxChars: number): Piece | undefined {
  if (content.kind === 'list') return takeElements(content, from, maxChars);
  return from.element === 0 ? takeText(content.text, from.char, maxChars) : undefined;
}

function takeText(text: string, char: number, maxChars: number): Piece | undefined {
  if (char >= text.length || splitsPair(text, char)) return undefined;
  const end = findCut(text, char, maxChars);
  return {
    text: text.slice(char, end),
    isFragment: true,
    shown: `characters ${describeRange(char, end, text.length)}`,
    next: end < text.length ? { element: 0, char: end } : undefined,
  };
}

function takeElements(
  { path, elements }: Extract<RestContent, { kind: 'list' }>,
  { element: first, char }: Position,
  maxChars: number,
): Piece | undefined {
  const element = elements[first];
  if (element === undefined) return undefined;
  const open = `${path.map((key) => `{${JSON.stringify(key)}:`).join('')}[`;
  const close = `]${'}'.repeat(path.length)}`;
  const count = countFitting(elements, first, maxChars - open.length - close.length);
  if (char > 0 || count === 0) {
    const piece = takeText(element, char, maxChars);
    if (piece === undefined) return undefined;
    const after = first + 1 < elements.length ? { element: first + 1, char: 0 } : undefined;
    return {
      ...piece,
      shown: `${piece.shown} of element ${describe(first + 1)} of ${describe(elements.length)}`,
      next: piece.next === undefined ? after : { element: first, char: piece.next.char },
    };
  }
  const end = first + count;
  return {
    text: `${open}${elements.slice(first, end).join(',')}${close}`,
    isFragment: false,
    shown: `elements ${describeRange(first, end, elements.length)}`,
    next: end < elements.length ? { element: end, char: 0 } : undefined,
  };
}

/** Number of whole elements that fit, including the commas between them. */
export function countFitting(elements: readonly string[], first: number, room: number): number {
  let used = -1;
  let end = first;
  for (; end < elements.length; end += 1) {
    used += 1 + (elements[end]?.length ?? 0);
    if (used > room) break;
  }
  return end - first;
}

/** `1–40 of 1,000`, counted from one. */
export function describeRange(start: number, end: number, total: number): string {
  return `${describe(start + 1)}–${describe(end)} of ${describe(total)}`;
}

function describe(count: number): string {
  return count.toLocaleString('en-US');
}
