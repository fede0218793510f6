import { UnreadableFileError } from './recording.ts';

/** A parsed document takes many times the memory of its text. Recordings of a whole day are within these limits. */
export const XML_LIMITS = {
  /** Tags and attributes of a document. */
  parts: 2_000_000,
  /** Different names of elements. */
  names: 500,
  depth: 40,
  /** Characters of a tag with its attributes. */
  tag: 16_384,
  /** Characters between two tags. */
  text: 65_536,
} as const;

/** Comments, sections and instructions, with their ends. */
const OTHERS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/** Throws if a document exceeds a limit. Returns false for mistakes of syntax, which a parser describes better. */
export function checkXmlSize(text: string): boolean {
  const names = new Set<string>();
  let parts = 0;
  let depth = 0;
  let end = 0;
  for (let start = text.indexOf('<'); start !== -1; start = text.indexOf('<', end)) {
    check(start - end, 'text', 'characters in one place');
    const other = OTHERS.find(([begin]) => text.startsWith(begin, start));
    if (other !== undefined) {
      const last = text.indexOf(other[1], start + other[0].length);
      if (last === -1) return false;
      end = last + other[1].length;
      if (other[0] === '<![CDATA[') check(end - start, 'text', 'characters in one place');
      continue;
    }
    const tag = readTag(text, start);
    if (tag === undefined) return false;
    end = tag.end;
    parts += 1 + tag.quotes / 2;
    check(parts, 'parts', 'tags and attributes');
    if (text[start + 1] === '/') {
      depth -= 1;
      continue;
    }
    names.add(/^[^\s/>]*/.exec(text.slice(start + 1, end))?.[0] ?? '');
    check(names.size, 'names', 'different elements');
    if (text[end - 2] === '/') continue;
    depth += 1;
    if (depth > XML_LIMITS.depth)
      throw new UnreadableFileError(`it has elements that are more than ${XML_LIMITS.depth} deep`);
  }
  return true;
}

/** The end of a tag, which is not a `>` in quotes, and the number of quotes. */
function readTag(text: string, start: number): { readonly end: number; readonly quotes: number } | undefined {
  let quotes = 0;
  let open = '';
  for (let at = start + 1; at < text.length; at += 1) {
    check(at - start, 'tag', 'characters in one tag');
    const character = text[at] ?? '';
    if (open === '' && character === '>') return { end: at + 1, quotes };
    if (open === '' && character === '<') return undefined;
    if (character === open || (open === '' && (character === '"' || character === "'"))) {
      open = open === '' ? character : '';
      quotes += 1;
    }
  }
  return undefined;
}

function check(size: number, name: 'parts' | 'names' | 'tag' | 'text', what: string): void {
  if (size > XML_LIMITS[name]) throw new UnreadableFileError(`it has more than ${XML_LIMITS[name]} ${what}`);
}
