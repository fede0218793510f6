import { fromBase64Url, toBase64Url } from '../../base/json/base64.ts';
import type { KeptJson } from '../messages/answer.ts';

/** An entry of a list with its key. */
export interface ListItem {
  readonly key: string;
  readonly json: string;
}

/** Layout of a list result. */
export interface PageLayout {
  /** Member of the result that has the entries, such as `tools`. */
  readonly member: string;
  /** Members before and after the entries, as JSON without braces; may be empty. */
  readonly head: string;
  readonly tail: string;
  readonly maxBytes: number;
  readonly maxItems: number;
}

/** A paginated list; each page is serialized once. */
export class PageBook {
  readonly #items: readonly ListItem[];
  readonly #layout: PageLayout;
  /** Consecutive pages by their cursor. */
  readonly #pages = new Map<string, KeptJson>();

  constructor(items: readonly ListItem[], layout: PageLayout) {
    this.#items = items;
    this.#layout = layout;
    let start: number | undefined = 0;
    while (start !== undefined) {
      const cursor = this.#cursorAt(start);
      const { parts, next }: Page = this.#write(start);
      this.#pages.set(cursor, new KeptPage(parts));
      start = next;
    }
  }

  /**
   * The page of a cursor; undefined if the cursor is invalid. After the list has changed, a cursor continues after its entry, or, if that
   * entry was removed, at its position.
   */
  find(cursor: string | undefined): KeptJson | undefined {
    const known = this.#pages.get(cursor ?? '');
    if (known !== undefined) return known;
    const position = readCursor(cursor ?? '');
    if (position === undefined || position.member !== this.#layout.member) return undefined;
    const behind = this.#items.findIndex(({ key }) => key === position.key);
    const { parts } = this.#write(behind === -1 ? Math.min(position.index, this.#items.length) : behind + 1);
    return new KeptPage(parts);
  }

  #cursorAt(start: number): string {
    const before = this.#items[start - 1];
    return before === undefined
      ? ''
      : writeCursor({ member: this.#layout.member, index: start - 1, key: before.key });
  }

  #write(start: number): Page {
    const { member, head, tail, maxBytes, maxItems } = this.#layout;
    const texts: string[] = [];
    let bytes = 0;
    let index = start;
    for (; index < this.#items.length && texts.length < maxItems; index += 1) {
      const { json } = this.#items[index] as ListItem;
      bytes += new TextEncoder().encode(json).byteLength + 1;
      if (bytes > maxBytes && texts.length > 0) break;
      texts.push(json);
    }
    const next = index < this.#items.length ? index : undefined;
    const parts: PagePart[] = [{ member, texts }];
    if (head !== '') parts.unshift(head);
    if (next !== undefined) parts.push(`"nextCursor":"${this.#cursorAt(next)}"`);
    if (tail !== '') parts.push(tail);
    return { parts, next };
  }
}

/** Parts of a page: JSON, or entries that are cached elsewhere. */
type PagePart = string | { readonly member: string; readonly texts: readonly string[] };

/** A page, serialized on first use, as a string or as bytes; both are cached. */
class KeptPage implements KeptJson {
  readonly #parts: readonly PagePart[];
  #json: string | undefined;
  #ending: Uint8Array | undefined;

  constructor(parts: readonly PagePart[]) {
    this.#parts = parts;
  }

  get json(): string {
    this.#json ??= this.#write();
    return this.#json;
  }

  get ending(): Uint8Array {
    this.#ending ??= new TextEncoder().encode(`${this.#json ?? this.#write()}}`);
    return this.#ending;
  }

  #write(): string {
    const members = this.#parts.map((part) =>
      typeof part === 'string' ? part : `"${part.member}":[${part.texts.join(',')}]`,
    );
    return `{${members.join(',')}}`;
  }
}

interface Page {
  readonly parts: readonly PagePart[];
  readonly next: number | undefined;
}

/** The entry after which a page begins. */
interface CursorPosition {
  /** Member of the list: a cursor of one list is invalid in another. */
  readonly member: string;
  readonly index: number;
  readonly key: string;
}

function writeCursor({ member, index, key }: CursorPosition): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify([member, index, key])));
}

/** Maximum length of a cursor. */
const MAX_CURSOR = 32_768;

function readCursor(cursor: string): CursorPosition | undefined {
  // A longer cursor was not issued here.
  const bytes = cursor.length > MAX_CURSOR ? undefined : fromBase64Url(cursor);
  if (bytes === undefined) return undefined;
  try {
    const [member, index, key] = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    ) as unknown[];
    const isPosition = typeof key === 'string' && Number.isSafeInteger(index) && (index as number) >= 0;
    return isPosition ? { member: String(member), index: index as number, key } : undefined;
  } catch {
    return undefined;
  }
}
