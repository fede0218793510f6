/** `TType` where `TTuple` is an array of unknown length, as in a variable: nothing is known of its single elements. Else `never`. */
export type OfArray<TTuple, TType> = TTuple extends readonly unknown[]
  ? number extends TTuple['length']
    ? TType
    : never
  : never;
