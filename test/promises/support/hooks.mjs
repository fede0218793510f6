/** Changes the text of modules of the built package while they are loaded: how a test turns one defence off. */
let weaknesses = [];

export function initialize(given) {
  weaknesses = given;
}

/** The package ships bundled; a defence is turned off in the modules it was bundled from. */
export function resolve(specifier, context, nextResolve) {
  const [isOurs, entry = 'index'] = /^toolwright(?:\/(.+))?$/.exec(specifier) ?? [];
  if (isOurs === undefined) return nextResolve(specifier, context);
  return nextResolve(new URL(`../../../dist/${entry}.js`, import.meta.url).href, context);
}

export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  const meant = weaknesses.filter(({ module }) => url.endsWith(`/dist/${module}`));
  if (meant.length === 0) return loaded;
  let source = String(loaded.source);
  for (const { module, find, replace } of meant) {
    if (source.split(find).length !== 2)
      throw new Error(`the switch is out of date: ${module} does not hold exactly one ${find}`);
    source = source.replace(find, () => replace);
  }
  return { ...loaded, source };
}
