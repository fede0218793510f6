import { didYouMean } from '../../errors/nearest-names.ts';
import type { SubjectRules } from '../../pipeline/tool/policy-rules.ts';
import type { ToolRegistry } from '../../registry/tool-registry.ts';
import type { Mistake } from '../file/small-schema.ts';
import type { SoundConfig } from '../file/sound-config.ts';

/** The tags and the names of a policy that nothing has: a rule with a misspelt one would protect nothing. */
export function findPolicyMistakes(config: SoundConfig, tools: ToolRegistry): Mistake[] {
  const { policy } = config;
  if (policy === undefined || !isComplete(config)) return [];
  const known = knownOf(config, tools);
  const { profiles = {}, rules = [] } = policy;
  return [
    ...findIn(policy, [], known),
    ...Object.entries(profiles).flatMap(([name, part]) => findIn(part, ['profiles', name], known)),
    ...rules.flatMap((rule, index) => findIn(rule, ['rules', index], known)),
  ];
}

interface Known {
  readonly tags: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/** Whether the tags of all prompts and resources are in the file: those of modules and of OpenAPI documents are not. */
function isComplete({ prompts = [], resources = [], openapi, ...config }: SoundConfig): boolean {
  const hasAll = [...prompts, ...resources].every((entry) => entry !== undefined && !('module' in entry));
  const hasTools = [...(config.tools ?? []), ...(config.extraTools ?? [])].every(
    (entry) => entry !== undefined,
  );
  const documents = Array.isArray(openapi) ? openapi : [openapi];
  return hasAll && hasTools && documents.every((entry) => entry?.routeMaps === undefined);
}

interface Named {
  readonly name: string;
  readonly uri?: string;
  readonly tags?: readonly string[];
}

function knownOf({ prompts = [], resources = [] }: SoundConfig, tools: ToolRegistry): Known {
  const [tags, names] = [new Set<string>(), new Set<string>()];
  tools.surface({ exposure: 'flat' }).listAll(({ tool: { subject } }) => {
    for (const tag of subject.tags) tags.add(tag);
    names.add(subject.name).add(subject.tool);
    return false;
  });
  for (const entry of [...prompts, ...resources] as readonly Named[]) {
    for (const tag of entry.tags ?? []) tags.add(tag);
    names.add(entry.name);
    if (entry.uri !== undefined) names.add(entry.uri);
  }
  return { tags, names };
}

function findIn(
  { include = {}, exclude, names }: SubjectRules,
  path: Mistake['path'],
  known: Known,
): Mistake[] {
  const find = (
    list: readonly string[] = [],
    at: readonly string[],
    [noun, all]: readonly [string, ReadonlySet<string>],
  ): Mistake[] =>
    list.flatMap((name, index): Mistake[] => {
      if (all.has(name)) return [];
      const message = `is an unknown ${noun}: "${name}".${didYouMean(name, [...all])}`;
      return [{ path: [...path, ...at, index], message }];
    });
  return [
    ...find(include.all, ['include', 'all'], ['tag', known.tags]),
    ...find(include.any, ['include', 'any'], ['tag', known.tags]),
    ...find(exclude, ['exclude'], ['tag', known.tags]),
    ...find(names, ['names'], ['name', known.names]),
  ];
}
