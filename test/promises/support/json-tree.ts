/** JSON as written: keys may occur twice, and a leaf may be any text. */
export type JsonTree =
  | { readonly kind: 'object'; readonly members: [key: string, value: JsonTree][] }
  | { readonly kind: 'list'; readonly items: JsonTree[] }
  | { readonly kind: 'leaf'; readonly text: string };

/** A position in a tree: the value, and functions to replace it. */
export interface Spot {
  readonly value: JsonTree;
  /** Its key, if it is a member. */
  readonly key: string | undefined;
  put(value: JsonTree): void;
  remove(): void;
  /** Duplicates the value. */
  double(): void;
  rename(key: string): void;
}

export function leaf(text: string): JsonTree {
  return { kind: 'leaf', text };
}

export function toTree(value: unknown): JsonTree {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(toTree) };
  if (typeof value !== 'object' || value === null) return leaf(JSON.stringify(value));
  return {
    kind: 'object',
    members: Object.entries(value).map(([key, each]) => [JSON.stringify(key), toTree(each)]),
  };
}

export function writeTree(tree: JsonTree): string {
  if (tree.kind === 'leaf') return tree.text;
  if (tree.kind === 'list') return `[${tree.items.map(writeTree).join(',')}]`;
  return `{${tree.members.map(([key, value]) => `${key}:${writeTree(value)}`).join(',')}}`;
}

/** Every position below the root, from the outside in. */
export function spotsOf(tree: JsonTree): Spot[] {
  if (tree.kind === 'object') {
    const { members } = tree;
    return members.flatMap((member) => [memberSpot(members, member), ...spotsOf(member[1])]);
  }
  if (tree.kind === 'leaf') return [];
  const { items } = tree;
  return items.flatMap((item) => [itemSpot(items, item), ...spotsOf(item)]);
}

function memberSpot(members: [string, JsonTree][], member: [string, JsonTree]): Spot {
  return {
    value: member[1],
    key: member[0],
    put: (value) => {
      member[1] = value;
    },
    remove: () => void members.splice(members.indexOf(member), 1),
    double: () => void members.push([member[0], member[1]]),
    rename: (key) => {
      member[0] = key;
    },
  };
}

function itemSpot(items: JsonTree[], item: JsonTree): Spot {
  return {
    value: item,
    key: undefined,
    put: (value) => void items.splice(items.indexOf(item), 1, value),
    remove: () => void items.splice(items.indexOf(item), 1),
    double: () => void items.push(item),
    rename: () => {},
  };
}
