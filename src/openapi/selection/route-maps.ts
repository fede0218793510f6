import { ANY, assertOptions, FUNCTION, oneOf, required, STRINGS } from '../../errors/options/rules.ts';
import type { Rule, Rules } from '../../errors/options/rules.ts';
import type { Operation } from '../model/operation.ts';
import { askPredicate } from './ask-predicate.ts';
import { compileGlob } from './glob.ts';
import { argumentOverrideOf, mergeOverrides } from './operation-override.ts';
import type { ArgumentLocation, OperationKind, OperationOverride } from './operation-override.ts';

/** Maps operations that match all given conditions to a kind of component. */
export interface RouteMap {
  /** HTTP methods, any of which matches; case-insensitive. */
  readonly methods?: readonly string[];
  /** The whole path with `*` for any characters, or a regular expression that matches a part of it. */
  readonly path?: string | RegExp;
  /** Tags, any of which matches; case-insensitive. */
  readonly tags?: readonly string[];
  /** Returns whether an operation matches. */
  readonly match?: (operation: Operation) => boolean;
  /** Kind of component that matching operations become. */
  readonly kind: OperationKind;
  /** Changes to the matching operations; `overrides` for one operation take precedence. */
  readonly override?: OperationOverride;
}

/** Kind and overrides of an operation. */
export interface KindDecision {
  readonly kind: OperationKind;
  readonly override: OperationOverride;
  /** The reason why it is not the requested kind. */
  readonly note?: string;
}

/** Kinds of components. */
export const OPERATION_KIND: Rule = oneOf(
  ...(['tool', 'resource', 'resource-template', 'none'] satisfies OperationKind[]),
);

const ROUTE_MAP: Rules<keyof RouteMap> = {
  methods: STRINGS,
  path: ANY,
  tags: STRINGS,
  match: FUNCTION,
  kind: required(OPERATION_KIND),
  override: ANY,
};

/** Rejects invalid route maps before they are used. */
export function assertRouteMaps(maps: readonly RouteMap[]): void {
  for (const [index, map] of maps.entries()) assertOptions('fromOpenAPI', map, ROUTE_MAP, 'routeMaps', index);
}

/**
 * Decides the kind of an operation: that of its override, else of the first matching route map, else a tool. If a
 * URI cannot carry its required arguments, it becomes a tool, with a note.
 */
export function decideKind(
  operation: Operation,
  maps: readonly RouteMap[] = [],
  override: OperationOverride = {},
): KindDecision {
  const map = maps.find((each, index) => isMeant(operation, each, index));
  const merged = mergeOverrides(map?.override, override);
  if (merged.hidden === true) return { kind: 'none', override: merged };
  const wanted = override.kind ?? map?.kind ?? 'tool';
  return { override: merged, ...toPossibleKind(wanted, operation, merged) };
}

function isMeant(operation: Operation, map: RouteMap, index: number): boolean {
  const { methods = [], path, tags = [], match } = map;
  if (methods.length > 0 && !hasAny(methods, [operation.method])) return false;
  if (tags.length > 0 && !hasAny(tags, operation.tags)) return false;
  if (path !== undefined && !fitsPath(operation.path, path)) return false;
  if (match === undefined) return true;
  const where = `"match" of route map ${index + 1}`;
  return askPredicate({ where, ask: match, option: 'routeMaps', path: [index, 'match'] }, operation);
}

function hasAny(wanted: readonly string[], given: readonly string[]): boolean {
  const small = new Set(given.map((each) => each.toLowerCase()));
  return wanted.some((each) => small.has(each.toLowerCase()));
}

/** `search` and not `test`, which keeps state for global expressions. */
function fitsPath(path: string, pattern: string | RegExp): boolean {
  return typeof pattern === 'string' ? compileGlob(pattern)(path) : path.search(pattern) !== -1;
}

function toPossibleKind(
  wanted: OperationKind,
  operation: Operation,
  override: OperationOverride,
): Pick<KindDecision, 'kind' | 'note'> {
  if (wanted === 'tool' || wanted === 'none') return { kind: wanted };
  const { method, body } = operation;
  if (method.toUpperCase() !== 'GET')
    return refuse(wanted, `only GET operations can be resources, and this is ${method}`);
  if (body?.required === true) return refuse(wanted, 'it needs a body');
  const { variables, others } = neededOf(operation, override);
  if (others[0] !== undefined) return refuse(wanted, `it needs the parameter "${others[0]}"`);
  if (wanted === 'resource')
    return variables[0] === undefined
      ? { kind: wanted }
      : refuse(wanted, `it needs the parameter "${variables[0]}"; use a resource template`);
  const hasVariables = variables.length > 0 || operation.parameters.some((each) => each.in === 'query');
  if (hasVariables) return { kind: wanted };
  return { kind: 'resource', note: 'It is a resource, not a resource template: it has no parameters.' };
}

function refuse(wanted: OperationKind, reason: string): Pick<KindDecision, 'kind' | 'note'> {
  return { kind: 'tool', note: `It is a tool, not a ${wanted.replace('-', ' ')}: ${reason}.` };
}

/** Names of required parameters: in the path, and elsewhere. Those that an override fills in are left out. */
function neededOf(
  operation: Operation,
  override: OperationOverride,
): { readonly variables: readonly string[]; readonly others: readonly string[] } {
  const isOpen = (location: ArgumentLocation, name: string): boolean => {
    const argument = argumentOverrideOf(override, location, name);
    return argument.fixed === undefined && argument.default === undefined;
  };
  // A document may forget to declare a path parameter, or that it is required.
  const variables = variablesOf(operation.path).filter((name) => isOpen('path', name));
  const others = operation.parameters
    .filter((each) => each.in !== 'path' && each.required && isOpen(each.in, each.name))
    .map(({ name }) => name);
  return { variables, others };
}

function variablesOf(path: string): string[] {
  return path
    .split('{')
    .slice(1)
    .map((rest) => rest.slice(0, Math.max(0, rest.indexOf('}'))))
    .filter((name) => name !== '');
}
