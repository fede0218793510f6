/** Checks the finished site: every link leads to a file and an anchor that exist, and nothing is loaded from other hosts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const FOREIGN =
  /<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)="(?:https?:)?\/\/[^"]*"|@import\s+["']?https?:|url\(["']?https?:/g;

export function checkSite(folder, base) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  const html = new Map(
    files
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
  const anchors = new Map([...html].map(([file, text]) => [file, idsOf(text)]));
  const problems = [];
  let checked = 0;
  for (const [file, text] of html) {
    for (const target of linksOf(text)) {
      checked += 1;
      const problem = findProblem(file, target);
      if (problem !== undefined) problems.push(`${file}: ${target}: ${problem}`);
    }
  }
  for (const file of files.filter((name) => /\.(?:html|css)$/.test(name))) {
    for (const [found] of readFileSync(join(folder, file), 'utf8').matchAll(FOREIGN))
      problems.push(`${file}: loads from another host: ${found}`);
  }
  for (const file of ['llms.txt']) {
    for (const [, target] of readFileSync(join(folder, file), 'utf8').matchAll(/\]\(([^)]+)\)/g)) {
      checked += 1;
      if (!existsSync(join(folder, target))) problems.push(`${file}: ${target}: no such file`);
    }
  }
  return { checked, problems: [...new Set(problems)] };

  function findProblem(file, target) {
    const [path, anchor] = target.split('#');
    if (path.startsWith('/') && !path.startsWith(base)) return `outside of ${base}`;
    const absolute = path.startsWith('/') ? path.slice(base.length) : posix.join(posix.dirname(file), path);
    const page = path === '' ? file : pageOf(absolute);
    if (page === undefined) return 'no such page';
    if (anchor === undefined || anchor === '') return undefined;
    return anchors.get(page)?.has(decodeURIComponent(anchor)) ? undefined : 'no such anchor';
  }

  function pageOf(path) {
    return [path, `${path}index.html`, `${path}/index.html`, `${path}.html`]
      .map((name) => posix.normalize(name))
      .find((name) => files.includes(name) && /\.\w+$/.test(name));
  }
}

/** Addresses of this site in a page, without queries. */
function linksOf(text) {
  return Array.from(text.matchAll(/<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g), ([, target]) =>
    unescapeHtml(target),
  )
    .filter((target) => !/^(?:[a-z]+:|\/\/)/i.test(target))
    .map((target) => target.replace(/\?[^#]*/, ''));
}

function idsOf(text) {
  return new Set(Array.from(text.matchAll(/\sid="([^"]*)"/g), ([, id]) => unescapeHtml(id)));
}

function unescapeHtml(text) {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
