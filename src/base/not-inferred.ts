/** The same type, excluded from inference at this position. Unlike `NoInfer`, it is not visible in editors. */
export type NotInferred<TType> = [TType][TType extends unknown ? 0 : never];
