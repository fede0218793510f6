import type { ServerDescription } from '../../wire/served/introduction.ts';
import { SNIPPETS } from '../client-snippets.ts';

/** Landing page for browsers: the server and the settings of clients. It contains nothing of the request. */
export function toLandingPage(
  { name, title = name, version, description }: ServerDescription,
  url: string,
): Response {
  const clients = Object.values(SNIPPETS).map(
    (snippet) =>
      `<section><h2>${escape(snippet.title)}</h2><p>${escape(snippet.where)}</p><pre>${escape(snippet.write(name, { url }))}</pre></section>`,
  );
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escape(title)} <small>${escape(version)}</small></h1>
${description === undefined ? '' : `<p>${escape(description)}</p>`}
<p>This is an MCP server. Its endpoint is <code>${escape(url)}</code>. Connect a client:</p>
${clients.join('\n')}
</main>
</body>
</html>
`;
  return new Response(html, { headers: HEADERS });
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.5rem; }
h1 small { font-weight: 400; font-size: 1rem; opacity: .6; }
h2 { font-size: 1rem; margin: 2rem 0 0; }
p { margin: .5rem 0; }
pre { padding: .75rem 1rem; overflow-x: auto; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: .5rem; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
