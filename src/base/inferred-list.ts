/**
 * The members of a definition that its type is inferred from. In an array or an object of definitions, the compiler infers one object of
 * them for each: one type parameter for all members, since every further one would make it go through the whole array again.
 */
export type InferredMembers<TDefinition, TName extends string> = {
  readonly [TMember in keyof TDefinition & TName]?: TDefinition[TMember];
};

/** The type of an inferred member; `unknown` where the definition has none. */
export type MemberOf<TDefinition, TName extends string> = TName extends keyof TDefinition
  ? TDefinition[TName]
  : unknown;

/**
 * One alternative of the type of an array. Nothing fits it: it makes the compiler infer a tuple instead of an array. Behind a spread, where
 * the place in the tuple is not known, literals are typed by `TBase`.
 */
export interface TupleHint<TBase> {
  readonly 0: never;
  readonly [index: number]: never;
  [Symbol.iterator](): Iterator<TBase>;
}
