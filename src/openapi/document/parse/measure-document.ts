import { DefinitionError } from '../../../errors/errors.ts';
import { endOfString } from '../../../base/json/json-depth.ts';
import { tooDeep, tooManyNodes } from './document-limits.ts';
import type { TreeLimits } from './document-limits.ts';

/** Size of a value when it is walked from top to bottom. */
export interface TreeSize {
  /** Number of values; shared ones count each time. */
  readonly nodes: number;
  /** Depth of nested objects and arrays. */
  readonly depth: number;
}

/** Count of an object or an array, in progress or finished. */
interface Tally {
  readonly node: object;
  children: readonly unknown[];
  next: number;
  nodes: number;
  depth: number;
  isOpen: boolean;
}

/**
 * Measures a value as if nothing in it were shared. Every object is visited once, without recursion: a few lines of
 * YAML can unfold to billions of values, or contain themselves.
 */
export function measureTree(name: string, root: unknown, limits: TreeLimits): TreeSize {
  if (!isContainer(root)) return { nodes: 1, depth: 0 };
  const known = new Map<object, Tally>();
  const open: Tally[] = [];
  const enter = (node: object): void => {
    if (open.length >= limits.maxDocumentDepth) throw tooDeep(name, limits);
    const children = Array.isArray(node) ? (node as readonly unknown[]) : Object.values(node);
    const tally: Tally = { node, children, next: 0, nodes: 1, depth: 1, isOpen: true };
    known.set(node, tally);
    open.push(tally);
  };
  enter(root);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.next < top.children.length) {
      const child = top.children[top.next];
      const tally = isContainer(child) ? known.get(child) : undefined;
      // defence: no-circles-in-documents
      if (tally?.isOpen === true) {
        throw new DefinitionError(`${name} contains itself: a YAML alias refers to a node that contains it.`);
      }
      if (isContainer(child) && tally === undefined) {
        // It is counted first, then visited again.
        enter(child);
        continue;
      }
      top.next += 1;
      top.nodes += tally?.nodes ?? 1;
      top.depth = Math.max(top.depth, 1 + (tally?.depth ?? 0));
      // defence: limit-of-nodes
      if (top.nodes > limits.maxDocumentNodes) throw tooManyNodes(name, limits);
      // Shared objects are not entered again, so the path to them does not show their depth.
      if (open.length - 1 + top.depth > limits.maxDocumentDepth) throw tooDeep(name, limits);
    } else {
      top.isOpen = false;
      top.children = [];
      open.pop();
    }
  }
  const { nodes, depth } = known.get(root) ?? { nodes: 1, depth: 0 };
  return { nodes, depth };
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Measures a JSON text before it is parsed: a short text can take a lot of memory. */
export function measureJson(name: string, json: string, limits: TreeLimits): TreeSize {
  let nodes = 1;
  let level = 0;
  let depth = 0;
  /** Whether nothing has followed the last opening bracket yet. */
  let isEmpty = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === SPACE || code === NEWLINE || code === RETURN || code === TAB) continue;
    const isClosing = code === CLOSE_OBJECT || code === CLOSE_ARRAY;
    if (isEmpty && !isClosing) nodes += 1;
    isEmpty = false;
    if (code === QUOTE) index = endOfString(json, index);
    else if (code === COMMA) nodes += 1;
    else if (isClosing) level -= 1;
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      isEmpty = true;
      level += 1;
      if (level > depth) depth = level;
      // defence: limit-of-levels
      if (depth > limits.maxDocumentDepth) throw tooDeep(name, limits);
      if (nodes > limits.maxDocumentNodes) throw tooManyNodes(name, limits);
    }
  }
  if (nodes > limits.maxDocumentNodes) throw tooManyNodes(name, limits);
  return { nodes, depth };
}

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
