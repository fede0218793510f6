import { readDecisions, readSections } from '../../scripts/docs/pages.mjs';
import { toSlug } from '../../scripts/docs/markdown.mjs';
import { OUT, pageOf, readEntries, STAGE, toPage } from '../paths.mjs';

const linkTo = (page) => `/${page.replace(/(?:index)?\.md$/, '')}`;
const toItem = ({ file, title }) => ({ text: title.replaceAll('`', ''), link: linkTo(toPage(file)) });

const [start, guides, reference, internals] = readSections().map(({ groups }) =>
  groups.map(({ title, pages }) => ({ text: title, items: pages.map(toItem) })),
);
reference.unshift({
  text: 'Packages',
  items: [
    { text: 'Overview', link: '/reference/' },
    ...readEntries().map((entry) => ({ text: entry.subpath, link: linkTo(pageOf(entry)) })),
  ],
});
internals.push({ text: 'Decision records', collapsed: true, items: readDecisions().map(toItem) });

/** By folder of the site. Every page carries all of it, so it must not be repeated for each. */
const sidebar = { '/': [...start, ...guides], '/reference/': reference, '/internals/': internals };

export default {
  title: 'Toolwright',
  description: 'A TypeScript framework for MCP servers.',
  lang: 'en',
  base: process.env.DOCS_BASE ?? '/',
  srcDir: STAGE,
  outDir: OUT,
  cacheDir: 'node_modules/.vitepress',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // The search index and the page of the root entry are large, and loaded only when needed.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  markdown: {
    // The anchors of GitHub, so that links hold there and here.
    anchor: { slugify: toSlug },
    toc: { slugify: toSlug },
    languageAlias: { console: 'shellsession', mjs: 'js' },
    config: (md) => {
      // Pages are not templates: `{{name}}` is text. Vue does not interpolate character references.
      const escape = (text) => md.utils.escapeHtml(text).replaceAll('{{', '&#123;&#123;');
      md.renderer.rules.text = (tokens, index) => escape(tokens[index].content);
      md.renderer.rules.code_inline = (tokens, index) => `<code>${escape(tokens[index].content)}</code>`;
    },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        miniSearch: {
          searchOptions: {
            // Guides first. The function is sent to the browser as text: it uses nothing from outside.
            boostDocument: (id) => (/\/(?:reference|internals)\//.test(id) ? 0.3 : 1),
          },
        },
      },
    },
    outline: { level: [2, 3] },
    sidebar,
    nav: [
      { text: 'Get started', link: '/get-started' },
      { text: 'Guides', link: '/guides/registry', activeMatch: '^/guides/' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
      { text: 'Internals', link: '/internals/architecture', activeMatch: '^/internals/' },
    ],
    externalLinkIcon: true,
  },
};
