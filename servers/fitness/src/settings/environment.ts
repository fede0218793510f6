export type Environment = Readonly<Record<string, string | undefined>>;

interface Reader {
  /** Undefined for a variable that is not set or empty. */
  readonly text: (name: string) => string | undefined;
  /** One of the choices. Default: the first. */
  readonly choice: <const TChoice extends string>(
    name: string,
    choices: readonly [TChoice, ...TChoice[]],
  ) => TChoice;
  readonly integer: (
    name: string,
    bounds: { readonly min: number; readonly max: number },
  ) => number | undefined;
}

/** Reads variables. An invalid value throws an error that names the variable, its value and the allowed values. */
export function createReader(environment: Environment): Reader {
  const text: Reader['text'] = (name) => environment[name]?.trim() || undefined;
  return {
    text,
    choice: (name, choices) => {
      const given = text(name) ?? choices[0];
      const found = choices.find((each) => each === given);
      if (found !== undefined) return found;
      throw new Error(`${name} must be one of ${choices.join(', ')}; received "${given}".`);
    },
    integer: (name, { min, max }) => {
      const given = text(name);
      if (given === undefined) return undefined;
      const value = Number(given);
      if (/^\d+$/.test(given) && value >= min && value <= max) return value;
      throw new Error(`${name} must be an integer from ${min} to ${max}; received "${given}".`);
    },
  };
}
