/** The syntax tree of a JSONPath (RFC 9535). */

/** The start of a path, and its segments. */
export interface Query {
  readonly from: 'root' | 'current';
  readonly segments: readonly Segment[];
}

/** One segment: selects members, or also members of all descendants. */
export interface Segment {
  readonly isDeep: boolean;
  readonly selectors: readonly Selector[];
}

export type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'index'; readonly index: number }
  | {
      readonly kind: 'slice';
      readonly start: number | undefined;
      readonly end: number | undefined;
      readonly step: number;
    }
  | { readonly kind: 'filter'; readonly test: Test };

/** Condition of a filter. */
export type Test =
  | { readonly kind: 'or' | 'and'; readonly parts: readonly Test[] }
  | { readonly kind: 'not'; readonly part: Test }
  | { readonly kind: 'exists'; readonly query: Query }
  | {
      readonly kind: 'compare';
      readonly left: Operand;
      readonly operator: Operator;
      readonly right: Operand;
    }
  | {
      readonly kind: 'pattern';
      readonly isWhole: boolean;
      readonly text: Operand;
      readonly pattern: Operand;
    };

export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';

export type Operand =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'query'; readonly query: Query }
  | { readonly kind: 'length'; readonly of: Operand }
  | { readonly kind: 'count' | 'value'; readonly query: Query };

/** Whether a path selects at most one value. Only such paths can be compared. */
export function isSingular({ segments }: Query): boolean {
  return segments.every(
    ({ isDeep, selectors }) =>
      !isDeep && selectors.length === 1 && selectors.every(({ kind }) => kind === 'name' || kind === 'index'),
  );
}
