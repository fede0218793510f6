import type { Shown } from './define-read.ts';

/** Views of each list, by their arguments. A cached list stays the same object until it is loaded again, so it is formatted once. */
const VIEWS = new WeakMap<object, Map<string, Shown>>();
const MAX_VIEWS = 8;

/** The view of a list for these arguments. What else it shows, such as the format of the currency, changes with the next load of the list. */
export function viewOf(
  list: object,
  [input, ...others]: readonly [input: object, ...others: readonly unknown[]],
  create: () => Shown,
): Shown {
  const known = VIEWS.get(list) ?? new Map<string, Shown>();
  // The arguments of lists are strings and numbers, in the order of the schema.
  const key = [...Object.values(input), ...others].join('\n');
  const found = known.get(key);
  if (found !== undefined) return found;
  const { data, markdown } = create();
  let text: string | undefined;
  const view = { data, markdown: () => (text ??= markdown()) };
  if (known.size >= MAX_VIEWS) known.clear();
  VIEWS.set(list, known.set(key, view));
  return view;
}
