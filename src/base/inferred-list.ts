/**
 * The members of a definition that its type is inferred from. In an array or object of definitions, the compiler infers one such object per
 * definition. It is one type parameter for all members, because each further one would make the compiler traverse the whole array again.
 */
export type InferredMembers<TDefinition, TName extends string> = {
  readonly [TMember in keyof TDefinition & TName]?: TDefinition[TMember];
};

/** The type of an inferred member; `unknown` if the definition lacks it. */
export type MemberOf<TDefinition, TName extends string> = TName extends keyof TDefinition
  ? TDefinition[TName]
  : unknown;

/**
 * An alternative in the type of an array that no value matches: it makes the compiler infer a tuple instead of an array. After a spread,
 * where the position in the tuple is unknown, literals are typed by `TBase`.
 */
export interface TupleHint<TBase> {
  readonly 0: never;
  readonly [index: number]: never;
  [Symbol.iterator](): Iterator<TBase>;
}
