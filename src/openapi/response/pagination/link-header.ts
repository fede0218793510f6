/** One link of a `Link` header (RFC 8288). */
export interface HeaderLink {
  readonly target: string;
  /** Relations in lower case. */
  readonly relations: readonly string[];
}

/** Maximum length of a header; all headers of the outbound client have at most 16 KiB together. */
const MAX_LENGTH = 65_536;

/** Parses the links of a `Link` header whose context is the response itself. Stops at malformed input. */
export function parseLinks(header: string): HeaderLink[] {
  const links: HeaderLink[] = [];
  const reader = new LinkReader(header.slice(0, MAX_LENGTH));
  for (let link = reader.next(); link !== undefined; link = reader.next()) {
    const { target, parameters } = link;
    // A link with another context.
    if (parameters.has('anchor')) continue;
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/);
    links.push({ target, relations: relations.filter((relation) => relation !== '') });
  }
  return links;
}

interface RawLink {
  readonly target: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads character by character: quoted values may contain delimiters. */
class LinkReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): RawLink | undefined {
    this.#until((char) => !isBlank(char) && char !== ',');
    if (!this.#take('<')) return undefined;
    const target = this.#until((char) => char === '>');
    if (!this.#take('>')) return undefined;
    const parameters = new Map<string, string>();
    while (this.#take(';')) {
      this.#blanks();
      const name = this.#until((char) => isBlank(char) || '=;,'.includes(char)).toLowerCase();
      const value = this.#take('=') ? this.#value() : '';
      // Of several parameters with one name, the first counts.
      if (name !== '' && !parameters.has(name)) parameters.set(name, value);
    }
    return { target: target.trim(), parameters };
  }

  #value(): string {
    this.#blanks();
    if (!this.#take('"')) return this.#until((char) => isBlank(char) || ';,'.includes(char));
    let value = '';
    while (this.#at < this.#text.length && !this.#take('"')) {
      if (this.#text[this.#at] === '\\') this.#at += 1;
      value += this.#text[this.#at] ?? '';
      this.#at += 1;
    }
    return value;
  }

  /** Consumes a character and the whitespace before it; does nothing if another character follows. */
  #take(wanted: string): boolean {
    const from = this.#at;
    // Whitespace in quotes is part of the value.
    if (wanted !== '"') this.#blanks();
    if (this.#text[this.#at] === wanted) {
      this.#at += 1;
      return true;
    }
    this.#at = from;
    return false;
  }

  #blanks(): void {
    this.#until((char) => !isBlank(char));
  }

  #until(isEnd: (char: string) => boolean): string {
    const from = this.#at;
    while (this.#at < this.#text.length && !isEnd(this.#text[this.#at] ?? '')) this.#at += 1;
    return this.#text.slice(from, this.#at);
  }
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\t';
}
