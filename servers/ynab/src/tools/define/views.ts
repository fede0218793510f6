import type { CurrencyFormat } from '../../money/currency-format.ts';
import type { Shown } from './define-read.ts';

interface Views {
  readonly currency: CurrencyFormat | undefined;
  readonly byKey: Map<string, Shown>;
}

/** Views of cached data. Data stay the same object until they change, so a view is created once. */
const VIEWS = new WeakMap<object, Views>();
const MAX_VIEWS = 8;

/** Everything that a view shows beside its data. */
interface ShownWith {
  /** The format of the amounts. It is the same object until the budgets are loaded again. */
  readonly currency?: CurrencyFormat;
  /** All other values, always in the same order. */
  readonly key?: readonly (string | number | boolean | undefined)[];
}

/** The view of cached data. */
export function viewOf(source: object, { currency, key = [] }: ShownWith, create: () => Shown): Shown {
  const known = VIEWS.get(source);
  const { byKey } =
    known !== undefined && known.currency === currency ? known : { byKey: new Map<string, Shown>() };
  const name = key.join('\n');
  const found = byKey.get(name);
  if (found !== undefined) return found;
  const { data, markdown } = create();
  let text: string | undefined;
  const view = { data, markdown: () => (text ??= markdown()) };
  if (byKey.size >= MAX_VIEWS) byKey.clear();
  VIEWS.set(source, { currency, byKey: byKey.set(name, view) });
  return view;
}
