/** The home page: the first screen of README.md, with its facts as cards. */
import { firstSentenceOf } from '../scripts/docs/markdown.mjs';

/** `readme` has the links of the site already. */
export function formatHome(readme) {
  const [intro = ''] = readme.replace(/^# .*\n/, '').split(/^## /m);
  const facts = Array.from(intro.matchAll(/^- \*\*(.+?)\*\*(.*)$/gm), ([, title, details]) => ({
    title: toHtml(title),
    details: toHtml(details.trim()),
  }));
  if (facts.length !== 3)
    throw new Error(
      `The first screen of README.md must have 3 facts ("- **…** …"); received ${facts.length}.`,
    );
  const summary = firstSentenceOf(readme);
  // The tagline of the hero is the first paragraph, and the cards are the facts.
  const body = intro.replace(/^\s*\S.*\n/, '').replaceAll(/^- \*\*.*\n/gm, '');
  const front = {
    layout: 'home',
    title: 'Toolwright',
    titleTemplate: false,
    hero: {
      name: 'Toolwright',
      tagline: summary,
      actions: [
        { theme: 'brand', text: 'Get started', link: '/get-started' },
        { theme: 'alt', text: 'Guides', link: '/guides/registry' },
        { theme: 'alt', text: 'Reference', link: '/reference/' },
      ],
    },
    features: facts,
  };
  // JSON is YAML.
  return `---\n${JSON.stringify(front, undefined, 2)}\n---\n\n${body.trim()}\n`;
}

/** Inline Markdown as HTML: cards are not Markdown. */
function toHtml(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(
      /\[([^\]]+)\]\(([^)]+)\)/g,
      (_whole, label, target) => `<a href="${toHref(target)}">${label}</a>`,
    );
}

function toHref(target) {
  return target.replace(/^\.\//, '').replace(/\.md(?=#|$)/, '.html');
}
