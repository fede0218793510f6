/** Changes the text of modules of the built package while they are loaded: how a test turns one defence off. */
let edits = [];

export function initialize(given) {
  edits = given;
}

/** The package ships bundled; a defence is turned off in the modules it was bundled from. */
export function resolve(specifier, context, nextResolve) {
  const [isOurs, entry = 'index'] = /^toolwright(?:\/(.+))?$/.exec(specifier) ?? [];
  if (isOurs === undefined) return nextResolve(specifier, context);
  return nextResolve(new URL(`../../../dist/${entry}.js`, import.meta.url).href, context);
}

export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  const meant = edits.filter(({ module }) => url.endsWith(`/dist/${module}`));
  if (meant.length === 0) return loaded;
  // From the end: what stands before a change stays where it is.
  meant.sort((a, b) => b.start - a.start);
  let source = String(loaded.source);
  for (const { start, end, text } of meant) source = source.slice(0, start) + text + source.slice(end);
  return { ...loaded, source };
}
