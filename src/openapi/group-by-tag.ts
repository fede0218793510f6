import { createTool } from '../tools/grouped/grouped-tool-builder.ts';
import type { GroupedToolBuilder } from '../tools/grouped/grouped-tool-builder.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';
import { listOf, memberOf, objectOf } from './document/parse/read-values.ts';
import { tidyText } from './naming/clean-text.ts';
import { cutText } from './naming/cut-text.ts';
import { safeArgumentName } from './naming/safe-argument-name.ts';
import { cutName } from './naming/safe-name.ts';
import { SHORT_HASH_LENGTH, shortHash } from './naming/short-hash.ts';
import { documentOf } from './model/document-of.ts';
import type { OpenApiReport } from './model/import-report.ts';
import type { JsonObject } from './model/operation.ts';
import { splitGroup } from './split-group.ts';

/** Options of {@link groupByTag}. */
export interface GroupOptions {
  /** The document; its `tags` describe the groups. */
  readonly root: JsonObject;
  readonly namespace: string | undefined;
  /** The report of the import: operations without a tag are grouped by their paths. */
  readonly report: OpenApiReport;
}

const MAX_DESCRIPTION = 500;
/** Group of operations without a tag and without a meaningful path segment. */
const OTHERS = 'other';
/** Leading path segments that many APIs share and that describe nothing. */
const PREFIX = /^(?:api|apis|rest|v\d{1,4}(?:[._-]?\w{1,10})?)$/i;

/**
 * One grouped tool for each tag, or several for a large tag. An operation with several tags is an action of the
 * first.
 */
export function groupByTag(
  tools: readonly AnyToolDefinition[],
  { root, namespace, report }: GroupOptions,
): GroupedToolBuilder[] {
  const groups = new Map<string, AnyToolDefinition[]>();
  const keys = new Map(report.operations.map(({ name, key }) => [name, key]));
  for (const tool of tools) {
    const tag = tool.category ?? tool.tags?.[0] ?? groupOfPath(keys.get(tool.name) ?? '');
    const group = groups.get(tag);
    if (group === undefined) groups.set(tag, [tool]);
    else group.push(tool);
  }
  const described = describeTags(root);
  const taken = new Set<string>();
  const prefix = namespace === undefined || namespace === '' ? '' : `${namespace}_`;
  // Name all groups first: the second part of a group must not take the name of another group.
  const named = [...groups].map(([tag, members]) => {
    // A tag without Latin letters or digits cannot be a name; the path can.
    const wanted = /[A-Za-z0-9]/.test(tag) ? tag : groupOfPath(keys.get(members[0]?.name) ?? '');
    return { tag, members, name: nameGroup(`${prefix}${wanted}`.replaceAll('.', '_'), taken) };
  });
  return named.flatMap(({ tag, members, name }) => {
    const parts = splitGroup(members);
    const description = described.get(tag) ?? `Operations of ${tag}`;
    const discriminator = discriminatorFor(members);
    return parts.map((part, index) => {
      const ending = parts.length === 1 ? '' : ` Part ${index + 1} of ${parts.length}.`;
      const own = index === 0 ? name : nameGroup(name, taken);
      const builder = createTool(own)
        .description(ending === '' ? description : `${description.replace(/[.\s]+$/, '')}.${ending}`)
        .discriminator(discriminator);
      const names = new ActionNames(own);
      for (const tool of part)
        builder.action(toAction(tool, names.take(withoutPrefix(tool, prefix))) as never);
      return builder;
    });
  });
}

/** The first meaningful segment of a path: `accounts` of `GET /v1/accounts/{id}`. */
function groupOfPath(key: string): string {
  const parts = key.slice(key.indexOf('/')).split('/');
  return parts.find((part) => /^[\w.-]+$/.test(part) && !PREFIX.test(part)) ?? OTHERS;
}

/** A discriminator that is not an argument of one of the operations. */
function discriminatorFor(tools: readonly AnyToolDefinition[]): string {
  const taken = new Set(tools.flatMap((tool) => Object.keys(objectOf(documentOf(tool)['properties']))));
  const free = ['action', 'operation', 'operation_name'].find((name) => !taken.has(name));
  if (free !== undefined) return free;
  let count = 2;
  while (taken.has(`operation_name_${count}`)) count += 1;
  return `operation_name_${count}`;
}

/** A name that is unique in any case: some clients convert all names to lower case. */
function nameGroup(wanted: string, taken: Set<string>): string {
  const first = safeArgumentName(wanted, NONE);
  let name = first;
  for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${first.slice(0, 58)}_${count}`;
  taken.add(name.toLowerCase());
  return name;
}

const NONE: ReadonlySet<string> = new Set();

function describeTags(root: JsonObject): ReadonlyMap<string, string> {
  const tags = listOf(memberOf(root, 'tags')).map(objectOf);
  return new Map(
    tags.flatMap((tag): [string, string][] => {
      const text = cutText(tidyText(memberOf(tag, 'description')), MAX_DESCRIPTION);
      return text === '' ? [] : [[tidyText(memberOf(tag, 'name')), text]];
    }),
  );
}

/** Removes the prefix, which is already in the name of the tool. */
function withoutPrefix({ name }: AnyToolDefinition, prefix: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** Maximum length of a tool name and, within it, of an action name. */
const MAX_TOOL_NAME = 128;
const MAX_ACTION_NAME = 64;

/**
 * Names of the actions of one group: those of the operations, shortened with a hash if group and operation are too
 * long together.
 */
class ActionNames {
  readonly #room: number;
  readonly #taken = new Set<string>();

  constructor(group: string) {
    this.#room = Math.min(MAX_ACTION_NAME, MAX_TOOL_NAME - group.length - 1);
  }

  take(wanted: string): string {
    let name = wanted;
    for (let salt = 0; name.length > this.#room || this.#taken.has(name); salt += 1) {
      const hash = shortHash(salt === 0 ? wanted : `${wanted} ${salt}`);
      name = `${cutName(wanted, this.#room - SHORT_HASH_LENGTH - 1)}_${hash}`;
    }
    this.#taken.add(name);
    return name;
  }
}

function toAction(tool: AnyToolDefinition, name: string): object {
  const {
    name: _name,
    inputSchema,
    annotations = {},
    metadata: _metadata,
    icons: _icons,
    _meta,
    ...rest
  } = tool;
  return {
    ...rest,
    name,
    schema: inputSchema,
    readOnly: annotations.readOnlyHint === true,
    destructive: annotations.destructiveHint === true,
    idempotent: annotations.idempotentHint === true,
  };
}
