import { DefinitionError } from '../../../errors/errors.ts';
import { isNode } from '../../../schema/nodes/json-node.ts';
import type { JsonObject } from '../../model/operation.ts';
import { tooDeep, tooManyNodes } from '../parse/document-limits.ts';
import type { TreeLimits } from '../parse/document-limits.ts';
import { findMatches } from '../json-path/find-matches.ts';
import type { PathMatch } from '../json-path/find-matches.ts';
import { parsePath } from '../json-path/parse-path.ts';
import { PathMistake } from '../json-path/path-scanner.ts';
import { measureTree } from '../parse/measure-document.ts';
import { DocumentEdit, kindOf } from './overlay-edit.ts';
import { listOf, memberOf } from '../parse/read-values.ts';

/** A document before or after an overlay. The input is never changed. */
export interface OverlaidDocument {
  readonly root: JsonObject;
  readonly nodes: number;
  readonly notes: readonly string[];
}

/** A loaded overlay. */
export interface ReadOverlay {
  readonly name: string;
  readonly value: unknown;
}

/** Applies an OpenAPI Overlay (1.0, 1.1) to a document. */
export function applyOverlay(
  document: Pick<OverlaidDocument, 'root' | 'nodes'>,
  { name, value }: ReadOverlay,
  limits: TreeLimits,
): OverlaidDocument {
  const { actions, notes } = readActions(name, value);
  const run: Run = { edit: new DocumentEdit(document.root), nodes: document.nodes, notes, limits, name };
  for (const [index, action] of actions.entries()) {
    try {
      applyAction(run, action, index);
    } catch (error) {
      if (!(error instanceof PathMistake)) throw error;
      throw new DefinitionError(`${nameAction(run, action, index)}: ${error.message}.`);
    }
  }
  const { root } = run.edit;
  return { root, nodes: measureTree(name, root, limits).nodes, notes };
}

interface Run {
  readonly edit: DocumentEdit;
  /** Upper bound of the number of values in the document. */
  nodes: number;
  readonly notes: string[];
  readonly limits: TreeLimits;
  readonly name: string;
}

function readActions(name: string, value: unknown): { actions: readonly unknown[]; notes: string[] } {
  const version = isNode(value) ? memberOf(value, 'overlay') : undefined;
  if (!isNode(value) || (typeof version !== 'string' && typeof version !== 'number'))
    throw new DefinitionError(`${name} is not an overlay: it has no version in "overlay", such as 1.0.0.`);
  if (!/^1(?:\.|$)/.test(String(version)))
    throw new DefinitionError(
      `${name} is an overlay of version ${String(version).slice(0, 40)}; supported: 1.0 and 1.1.`,
    );
  const actions = memberOf(value, 'actions');
  if (!Array.isArray(actions)) throw new DefinitionError(`${name} has no array of "actions".`);
  const notes: string[] = [];
  if (!/^1(?:\.[01](?!\d)|$)/.test(String(version)))
    notes.push(`${name} is an overlay of version ${String(version).slice(0, 40)}; it was applied as 1.1.`);
  if (Object.hasOwn(value, 'extends'))
    notes.push(
      `${name} has "extends", which was ignored: it is applied to the document that it was passed with.`,
    );
  return { actions: listOf(actions), notes };
}

function applyAction(run: Run, action: unknown, index: number): void {
  const target = isNode(action) ? memberOf(action, 'target') : undefined;
  const owner = nameAction(run, action, index);
  if (!isNode(action) || typeof target !== 'string') throw new DefinitionError(`${owner} has no "target".`);
  const matches = findMatches(run.edit.root, parsePath(target));
  const isUpdate = Object.hasOwn(action, 'update');
  const copy = isUpdate ? undefined : memberOf(action, 'copy');
  if (matches.length === 0) run.notes.push(`${owner} matches nothing.`);
  else if (memberOf(action, 'remove') === true) run.edit.remove(matches, owner);
  else if (isUpdate) update(run, { matches, value: action['update'], owner });
  else if (typeof copy === 'string') {
    const [source, ...others] = findMatches(run.edit.root, parsePath(copy));
    if (others.length > 0)
      throw new DefinitionError(`${owner}: "copy" matches ${others.length + 1} values; expected one.`);
    if (source === undefined) run.notes.push(`${owner}: "copy" matches nothing.`);
    else {
      // It is shared from now on, so it must not be changed in place any more.
      run.edit.seal();
      update(run, { matches, value: source.value, owner });
    }
  } else run.notes.push(`${owner} has no effect: add "update", "copy" or "remove: true".`);
}

interface Update {
  readonly matches: readonly PathMatch[];
  readonly value: unknown;
  readonly owner: string;
}

function update(run: Run, { matches, value, owner }: Update): void {
  const kinds = new Set(matches.map((match) => kindOf(match.value)));
  if (kinds.size > 1) {
    throw new DefinitionError(
      `${owner} matches values of different types (${[...kinds].join(' and ')}); an update needs one type.`,
    );
  }
  charge(run, { matches, value, owner });
  for (const match of matches) run.notes.push(...run.edit.merge(match, value, owner));
}

/** Counts added values before they are added: repeated copies can grow exponentially. */
function charge(run: Run, { matches, value, owner }: Update): void {
  const { nodes, depth } = measureTree(owner, value, run.limits);
  run.nodes += nodes * matches.length;
  if (run.nodes > run.limits.maxDocumentNodes) throw tooManyNodes(`The document after ${owner}`, run.limits);
  const deepest = matches.reduce((most, match) => Math.max(most, levelOf(match)), 0);
  if (deepest + depth > run.limits.maxDocumentDepth) throw tooDeep(`The document after ${owner}`, run.limits);
}

/** Number of objects and arrays from the root to a match, including itself. */
function levelOf(match: PathMatch): number {
  let level = 1;
  for (let { parent } = match; parent !== undefined; { parent } = parent) level += 1;
  return level;
}

function nameAction({ name }: Run, action: unknown, index: number): string {
  const target = isNode(action) ? memberOf(action, 'target') : undefined;
  const shown = typeof target === 'string' ? ` (${JSON.stringify(target.slice(0, 120))})` : '';
  return `${name}, action ${index + 1}${shown}`;
}
