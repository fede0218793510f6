import { DefinitionError } from '../../errors/errors.ts';
import { isObject } from '../../base/is-object.ts';
import {
  ANY,
  assertOptions,
  BOOLEAN,
  isFunction,
  oneOf,
  POSITIVE,
  STRING,
  STRINGS,
} from '../../errors/options/rules.ts';
import type { Rule, Rules } from '../../errors/options/rules.ts';
import { wordsOf } from '../../errors/options/wrong-value.ts';
import type { Caller, Policy } from '../../pipeline/tool/policy.ts';
import type { PolicyRules } from '../../pipeline/tool/policy-rules.ts';
import type { SchemaProfile } from '../../schema/profiles/schema-profile.ts';
import { assertToolName } from '../../tools/compile/assert-definition.ts';

/**
 * The form in which the catalog is advertised to clients.
 *
 * - `grouped`: one tool per grouped tool, with an argument that selects the action
 * - `flat`: one tool per action, such as `platform_users_create`
 * - `search`: three small tools that find, describe and call all others
 * - `auto`: flat while the list is small enough, then search (with `groupedSchemas: 'brief'`, grouped in between)
 */
export type Exposure = 'auto' | 'flat' | 'grouped' | 'search';

/** The names of the three tools of the search exposure. */
export interface SearchToolNames {
  readonly search: string;
  readonly describe: string;
  readonly call: string;
}

/** Options of a surface: the tools of a registry as all callers, one mount path or one kind of caller see them. */
export interface SurfaceOptions {
  /**
   * The exposure, or a function that chooses it by caller (never by connection, because lists must not vary by it). Default: `'grouped'`.
   */
  readonly exposure?: Exposure | ((caller: Caller) => Exposure);
  /** A further policy for this surface. It is joined with that of the registry: both must allow a tool. */
  readonly policy?: Policy | PolicyRules;
  /** For clients that reject `$ref` or unions in schemas. Default: `'full'`. */
  readonly schemaProfile?: SchemaProfile | ((caller: Caller) => SchemaProfile);
  /** With `auto`: maximum tokens of a flat list before it becomes search. Default: 10,000. */
  readonly tokenBudget?: number;
  /** With `grouped`: splits every grouped tool into `<name>_read` and `<name>_write`, so that annotations stay exact. Default: `false`. */
  readonly splitReadWrite?: boolean;
  /**
   * With `grouped`: lists single tools with a category as actions of one tool per category. Default: single tools are listed individually.
   */
  readonly groupBy?: 'category';
  /**
   * With `grouped`: `full` lists the complete schema of every action; `brief` lists one line per action with its required arguments, and an
   * action `describe` returns the rest. With `auto`, `brief` is tried between flat and search. Default: `'full'`.
   */
  readonly groupedSchemas?: 'full' | 'brief';
  /** Maximum tokens of a description of tools or of an action, unless `whole` is requested. Default: 4,000. */
  readonly describeTokens?: number;
  /** With `search` and `auto`: names of the three tools. Default: `search_tools`, `describe_tool`, `call_tool`. */
  readonly searchTools?: Partial<SearchToolNames>;
  /**
   * With `search` and `auto`: tools that are listed beside the three, one tool per action, by canonical name (`orders.list`) or by tool
   * (`orders`). Default: none.
   */
  readonly pinned?: readonly string[];
}

/** Default names of the three tools. */
export const SEARCH_TOOLS: SearchToolNames = {
  search: 'search_tools',
  describe: 'describe_tool',
  call: 'call_tool',
};

export const EXPOSURES: readonly Exposure[] = ['grouped', 'flat', 'search', 'auto'];
export const GROUPED_SCHEMAS: readonly NonNullable<SurfaceOptions['groupedSchemas']>[] = ['full', 'brief'];
export const SCHEMA_PROFILES: readonly SchemaProfile[] = ['full', 'no-ref', 'no-union'];

/** Rules of all options of a surface. */
export const SURFACE_RULES: Rules<keyof SurfaceOptions> = {
  exposure: chosenFrom(EXPOSURES),
  policy: ANY,
  schemaProfile: chosenFrom(SCHEMA_PROFILES),
  tokenBudget: POSITIVE,
  splitReadWrite: BOOLEAN,
  groupBy: [(value) => value === 'category', ['category']],
  groupedSchemas: oneOf(...GROUPED_SCHEMAS),
  describeTokens: POSITIVE,
  searchTools: [isObject, 'an object with the names of the search tools'],
  pinned: STRINGS,
};

const SEARCH_TOOL_NAMES: Rules<keyof SearchToolNames> = { search: STRING, describe: STRING, call: STRING };

function chosenFrom(choices: readonly string[]): Rule {
  return [
    (value) => isFunction(value) || choices.includes(value as string),
    `${wordsOf(choices)}, or a function that chooses one`,
  ];
}

/** Whether grouped tools may be listed as such. */
export function mayGroup({ exposure, groupedSchemas }: SurfaceOptions): boolean {
  return exposure === 'grouped' || (exposure === 'auto' && groupedSchemas === 'brief');
}

/** Rejects invalid options of a surface. */
export function assertSurfaceOptions(options: SurfaceOptions): void {
  assertOptions('registry.surface', options, SURFACE_RULES);
  if (options.searchTools !== undefined) assertSearchTools(options.searchTools);
}

function assertSearchTools(searchTools: Partial<SearchToolNames>): void {
  assertOptions('registry.surface', searchTools, SEARCH_TOOL_NAMES, 'searchTools');
  const all = Object.values({ ...SEARCH_TOOLS, ...searchTools });
  for (const name of all) assertToolName(name);
  const double = all.find((name, index) => all.indexOf(name) !== index);
  if (double !== undefined) {
    throw new DefinitionError(
      `registry.surface: searchTools uses the name "${double}" twice. Give each tool its own name.`,
      { option: 'searchTools', received: double },
    );
  }
}
