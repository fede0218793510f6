/** The name once among the parameters and once where it is called. More, and somebody may do something else with it. */
const ALL_MENTIONS = /\bnext\b/g;
/** Texts are not code: what stands in them is not called. */
const TEXTS = /(["'`])(?:\\[\s\S]|(?!\1)[^\\])*\1/g;
/** A function inside may be called when nobody waits for it, so there must be none. */
const FUNCTIONS = /=>|\bfunction\b/g;
const AWAITED = /\bawait\s+next\(/;
/** Given back as it is: nothing follows the call that could take its place. */
const RETURNED = /(?:\breturn|=>)\s*next\([^()]*\)\s*(?:[;}]|$)/;

/**
 * Whether a middleware surely looks at what `next()` gives as soon as it has it: it awaits it, or returns it. That is how nearly all are
 * written, and then the promise needs no handler of ours, which costs nearly as much as an empty layer. It is read from the source, once,
 * when the chain is composed. Whatever is written otherwise, or was renamed by a bundler, is not recognised and gets the handler.
 */
export function looksAtNext(middleware: object): boolean {
  const source = Function.prototype.toString.call(middleware).replaceAll(TEXTS, '""');
  if (source.match(ALL_MENTIONS)?.length !== 2 || !/^(?:async\b)?[^{}]*\{[^{}]*\bnext\b[^{}]*\}/.test(source))
    return false;
  if (source.match(FUNCTIONS)?.length !== 1) return false;
  return AWAITED.test(source) || RETURNED.test(source);
}
