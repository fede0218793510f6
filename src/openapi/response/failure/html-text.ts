/** Maximum number of characters of an HTML page that are read. */
const MAX_HTML = 200_000;

/** Elements whose text is not shown. */
const UNSEEN = ['script', 'style', 'svg', 'noscript', 'template', 'title'];

/** Text of a page: its title, and its visible text on one line. */
export function readHtml(html: string): string {
  const page = html.slice(0, MAX_HTML);
  const title = toLine(/<title[^>]{0,200}>([^<]{0,500})/i.exec(page)?.[1] ?? '');
  const text = toLine(visibleText(page));
  if (title === '' || text.startsWith(title)) return text;
  return text === '' ? title : `${title}. ${text}`;
}

function visibleText(page: string): string {
  const texts: string[] = [];
  let at = 0;
  while (at < page.length) {
    const open = page.indexOf('<', at);
    if (open === -1) return [...texts, page.slice(at)].join(' ');
    texts.push(page.slice(at, open));
    at = endOfTag(page, open);
  }
  return texts.join(' ');
}

/** End of the tag that starts here, or of the whole element if it is invisible. Unclosed elements reach to the end. */
function endOfTag(page: string, open: number): number {
  if (page.startsWith('<!--', open)) return after(page, '-->', open);
  const name = page.slice(open + 1, open + 12).toLowerCase();
  const unseen = UNSEEN.find((each) => name.startsWith(each) && !/^[a-z]/.test(name.slice(each.length)));
  if (unseen === undefined) return after(page, '>', open);
  const close = new RegExp(`</${unseen}`, 'gi');
  close.lastIndex = open;
  const found = close.exec(page);
  return found === null ? page.length : after(page, '>', found.index);
}

function after(page: string, mark: string, from: number): number {
  const found = page.indexOf(mark, from);
  return found === -1 ? page.length : found + mark.length;
}

function toLine(text: string): string {
  return text
    .replaceAll(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});/gi, (all, name: string) => decodeEntity(name) ?? all)
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

function decodeEntity(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase());
  const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
}
