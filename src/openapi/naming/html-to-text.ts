/** Backticks, which delimit code, and HTML syntax. */
const TOKEN = /`+|<!--|<[^<>]*>|&#?[0-9a-z]{1,31};/gi;
const END_OF_HIDDEN = /<\/(?:script|style)\s*>/gi;

/** Elements that start a new line. */
const BLOCKS: ReadonlySet<string> = new Set(
  'blockquote br center dd details div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);
/** Inline elements. Placeholders in angle brackets such as `<title>` or `<name>` are not listed: they are text. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b big cite code del em font i img ins kbd mark nobr q s samp small span strike strong sub sup td th tt u wbr'.split(
    ' ',
  ),
);
const HIDDEN: ReadonlySet<string> = new Set(['script', 'style']);

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['hellip', '\u2026'],
  ['mdash', '\u2014'],
  ['ndash', '\u2013'],
  ['lsquo', '\u2018'],
  ['rsquo', '\u2019'],
  ['ldquo', '\u201c'],
  ['rdquo', '\u201d'],
  ['bull', '\u2022'],
  ['middot', '\u00b7'],
  ['times', '\u00d7'],
  ['rarr', '\u2192'],
  ['larr', '\u2190'],
  ['le', '\u2264'],
  ['ge', '\u2265'],
  ['ne', '\u2260'],
  ['copy', '\u00a9'],
  ['reg', '\u00ae'],
  ['trade', '\u2122'],
  ['euro', '\u20ac'],
]);

/**
 * Removes HTML: elements become their content, comments and scripts are dropped, entities are decoded. Code in backticks stays, and so does
 * text that only looks like HTML. One pass, linear time.
 */
export function htmlToText(text: string): string {
  const codeEnds = findCode(text);
  const tokens = new RegExp(TOKEN);
  const hiddenEnds = new RegExp(END_OF_HIDDEN);
  /** End tags that were not found are not searched again. */
  const endless = new Set<string>();
  let shown = '';
  let at = 0;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token] = match;
    const end = tokens.lastIndex;
    shown += text.slice(at, match.index);
    at = end;
    if (token.startsWith('`')) {
      at = codeEnds.get(match.index) ?? end;
      shown += text.slice(match.index, at);
    } else if (token === '<!--') {
      at = endAfter('-->', end);
    } else if (token.startsWith('&')) {
      shown += decodeEntity(token);
    } else {
      const name = nameOfTag(token);
      if (HIDDEN.has(name)) at = endOfHidden(end);
      else shown += textOfTag(name, token);
    }
    tokens.lastIndex = at;
  }
  // Decoding may have produced a comment: break it up, so that nothing is left that a viewer hides.
  return (shown + text.slice(at)).replaceAll('<!--', '<! --');

  function endAfter(mark: string, from: number): number {
    const found = endless.has(mark) ? -1 : text.indexOf(mark, from);
    if (found === -1) endless.add(mark);
    return found === -1 ? from : found + mark.length;
  }

  function endOfHidden(from: number): number {
    hiddenEnds.lastIndex = from;
    const isFound = !endless.has('script') && hiddenEnds.test(text);
    if (!isFound) endless.add('script');
    return isFound ? hiddenEnds.lastIndex : from;
  }
}

/** Positions where code begins and ends: at the next run of as many backticks. */
function findCode(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const following = new Map<number, number>();
  const runs = [...text.matchAll(/`+/g)];
  for (const run of runs.toReversed()) {
    const { length } = run[0];
    const next = following.get(length);
    if (next !== undefined) ends.set(run.index, next + length);
    following.set(length, run.index);
  }
  return ends;
}

/** The name of the element in lower case; empty for text such as `<b and c>` and `<resource type>`. */
function nameOfTag(tag: string): string {
  const inside = tag.slice(1, -1);
  const isClosing = inside.startsWith('/');
  const [name = ''] = /^[a-z][a-z0-9]*/i.exec(isClosing ? inside.slice(1) : inside) ?? [];
  const rest = inside.slice(name.length + (isClosing ? 1 : 0)).trim();
  const isTag = rest === '' || rest === '/' || (!isClosing && rest.includes('='));
  return isTag ? name.toLowerCase() : '';
}

function textOfTag(name: string, tag: string): string {
  if (BLOCKS.has(name)) {
    if (name === 'li') return tag.startsWith('</') ? '' : '\n- ';
    // Paragraphs are separated by an empty line; repeated ones are merged later.
    return name === 'p' ? '\n\n' : '\n';
  }
  return INLINE.has(name) ? '' : tag;
}

function decodeEntity(entity: string): string {
  const name = entity.slice(1, -1);
  if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase()) ?? entity;
  const isHex = name[1] === 'x' || name[1] === 'X';
  const digits = name.slice(isHex ? 2 : 1);
  if (!(isHex ? /^[0-9a-f]+$/i : /^[0-9]+$/).test(digits)) return entity;
  const code = Number.parseInt(digits, isHex ? 16 : 10);
  return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}
