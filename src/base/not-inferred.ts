/** The same type, which the compiler does not infer from this place. Unlike `NoInfer`, it leaves no trace in what editors show. */
export type NotInferred<TType> = [TType][TType extends unknown ? 0 : never];
