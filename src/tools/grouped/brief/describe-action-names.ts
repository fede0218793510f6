/** The action that describes the others, and its arguments, as a grouped tool with brief schemas lists them. */
export interface DescribeArguments {
  /** The action that is meant. */
  readonly of: string;
  readonly path: string;
  readonly whole: string;
}

/**
 * The key of the action that describes the others: `describe`, unless one of these has that name. Chosen among the actions that a caller
 * sees: those that it does not see must not change the name.
 */
export function describeKeyAmong(keys: ReadonlySet<string>): string {
  if (!keys.has('describe')) return 'describe';
  if (!keys.has('describe_action')) return 'describe_action';
  let count = 2;
  while (keys.has(`describe_action_${count}`)) count += 1;
  return `describe_action_${count}`;
}

/** The names of its arguments. Only the argument that says the action can be in their way: the others are not read by it. */
export function describeArguments(discriminator: string): DescribeArguments {
  const free = (name: string): string => (name === discriminator ? `${name}_` : name);
  return { of: free('of'), path: free('path'), whole: free('whole') };
}
