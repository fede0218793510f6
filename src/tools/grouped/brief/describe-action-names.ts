/** Names of the arguments of the action that describes the others, in a grouped tool with brief schemas. */
export interface DescribeArguments {
  /** The action to describe. */
  readonly of: string;
  readonly path: string;
  readonly whole: string;
}

/**
 * Key of the action that describes the others: `describe`, unless an action has that name. Chosen among the actions
 * visible to the caller: hidden ones must not change the name.
 */
export function describeKeyAmong(keys: ReadonlySet<string>): string {
  if (!keys.has('describe')) return 'describe';
  if (!keys.has('describe_action')) return 'describe_action';
  let count = 2;
  while (keys.has(`describe_action_${count}`)) count += 1;
  return `describe_action_${count}`;
}

/** Names of its arguments. Only the discriminator can conflict with them: it reads no other arguments. */
export function describeArguments(discriminator: string): DescribeArguments {
  const free = (name: string): string => (name === discriminator ? `${name}_` : name);
  return { of: free('of'), path: free('path'), whole: free('whole') };
}
