/** Headings, links and first sentences of Markdown pages. Needs nothing but Node. */

const FENCE = /^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\2[ \t]*$/gm;

/** The anchor of a heading as GitHub and npm generate it, before repeated anchors are numbered. */
export function toSlug(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

/** A page without its code blocks and comments; line breaks stay, so that line numbers stay. */
export function withoutCode(text) {
  const blank = (part) => part.replaceAll(/[^\n]/g, '');
  return text.replaceAll(FENCE, blank).replaceAll(/<!--[\s\S]*?-->/g, blank);
}

/** The anchors of a page: its headings, numbered where they repeat, and explicit ids. */
export function anchorsOf(text) {
  const page = withoutCode(text);
  const seen = new Map();
  const anchors = Array.from(page.matchAll(/^#{1,6} +(.+?) *#*$/gm), ([, heading]) => {
    const slug = toSlug(toText(heading));
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set([...anchors, ...Array.from(page.matchAll(/<a id="([^"]+)">/g), ([, id]) => id)]);
}

/** The links and images of a page, outside of its code, each with its line. */
export function linksOf(text) {
  const page = withoutCode(text).replaceAll(/(`+)(?!`)[^`\n]+?\1(?!`)/g, (part) => 'x'.repeat(part.length));
  const inline = page.matchAll(/\]\(<?([^()\s<>]*(?:\([^()\s]*\))?[^()\s<>]*)>?(?: "[^"]*")?\)/g);
  const defined = page.matchAll(/^\[[^\]]+\]: +(\S+)/gm);
  return [...inline, ...defined].map((match) => ({
    link: match[1],
    line: page.slice(0, match.index).split('\n').length,
  }));
}

/** Replaces every link outside of code. `replace(text, target, isImage)` returns the Markdown to write instead. */
export function replaceLinks(text, replace) {
  // Code first, so that links inside it are left alone; a link's own text may have code in it.
  const pattern =
    /^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\2[ \t]*$|(!?)\[((?:[^[\]`]|`[^`]*`)*)\]\(([^()\s]+)\)|(`+)(?!`)[^`]+?\6(?!`)/gm;
  return text.replaceAll(pattern, (...match) => {
    const [whole, , , bang, label, target] = match;
    return target === undefined ? whole : replace(label, target, bang === '!');
  });
}

/** The first heading of a page, as plain text. */
export function titleOf(text) {
  return toText(/^# +(.+)$/m.exec(withoutCode(text))?.[1] ?? '');
}

/** The first sentence below the first heading, as plain text. */
export function firstSentenceOf(text) {
  const [, rest = ''] = /^# [^\n]+\n([\s\S]*)/m.exec(withoutCode(text)) ?? [];
  const isProse = (part) => part !== '' && !/^[#|>!<-]/.test(part);
  const paragraph = rest.split(/\n{2,}/).find((part) => isProse(part.trim())) ?? '';
  const plain = toText(paragraph.replaceAll(/\s+/g, ' ').trim());
  return /^.+?[.!?:](?= [^a-z]|$)/u.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}

/** Markdown of one line without links and emphasis; code keeps its backticks. */
function toText(line) {
  return line
    .replaceAll(/!?\[((?:[^[\]`]|`[^`]*`)*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*([^*]+)\*\*/g, '$1')
    .trim();
}
