import { isObject } from '../../../base/is-object.ts';

/** A selected value; undefined if nothing of the selection exists. */
export interface Selected {
  readonly value: unknown;
}

/** Selects the part of a value that one JSON Pointer names; or the parts of several, in the structure of the whole. */
export function selectParts(value: unknown, select: string | readonly string[]): Selected | undefined {
  const part = typeof select === 'string' ? pick(value, toSteps(select)) : project(value, toTree(select));
  return part === MISSING ? undefined : { value: part };
}

const MISSING = Symbol('missing');
const EACH = '*';

function toSteps(pointer: string): string[] {
  if (pointer === '') return [];
  const steps = (pointer.startsWith('/') ? pointer.slice(1) : pointer).split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function pick(value: unknown, steps: readonly string[]): unknown {
  let part = value;
  for (const [index, step] of steps.entries()) {
    if (step === EACH && Array.isArray(part)) return pickEach(part, steps.slice(index + 1));
    part = memberOf(part, step);
    if (part === MISSING) return MISSING;
  }
  return part;
}

/** Elements without the part are left out. */
function pickEach(list: readonly unknown[], steps: readonly string[]): unknown {
  const parts = list.map((element) => pick(element, steps)).filter((part) => part !== MISSING);
  return list.length > 0 && parts.length === 0 ? MISSING : parts;
}

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value))
    return /^\d{1,9}$/.test(key) && Number(key) < value.length ? (value[Number(key)] as unknown) : MISSING;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : MISSING;
}

/** Pointers merged by common prefixes. */
interface Tree {
  /** Whether a pointer ends here, which selects everything below. */
  isWhole: boolean;
  readonly below: Map<string, Tree>;
}

function toTree(pointers: readonly string[]): Tree {
  const root: Tree = { isWhole: false, below: new Map() };
  for (const pointer of pointers) {
    let tree = root;
    for (const step of toSteps(pointer)) {
      const next = tree.below.get(step) ?? { isWhole: false, below: new Map<string, Tree>() };
      tree.below.set(step, next);
      tree = next;
    }
    tree.isWhole = true;
  }
  return root;
}

function project(value: unknown, { isWhole, below }: Tree): unknown {
  if (isWhole) return value;
  if (Array.isArray(value)) return projectList(value, below);
  if (!isObject(value)) return MISSING;
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const tree = below.get(key);
    const part = tree === undefined ? MISSING : project(member, tree);
    return part === MISSING ? [] : [[key, part]];
  });
  return entries.length === 0 ? MISSING : Object.fromEntries(entries);
}

/** With `*`, every element keeps its position, even without a selected part. */
function projectList(list: readonly unknown[], below: ReadonlyMap<string, Tree>): unknown {
  const each = below.get(EACH);
  if (each !== undefined) {
    const parts = list.map((element) => project(element, each));
    if (list.length > 0 && parts.every((part) => part === MISSING)) return MISSING;
    return parts.map((part, index) => (part === MISSING ? emptied(list[index]) : part));
  }
  const parts = list
    .map((element, index) => {
      const tree = below.get(String(index));
      return tree === undefined ? MISSING : project(element, tree);
    })
    .filter((part) => part !== MISSING);
  return parts.length === 0 ? MISSING : parts;
}

function emptied(element: unknown): unknown {
  if (Array.isArray(element)) return [];
  return isObject(element) ? {} : null;
}
