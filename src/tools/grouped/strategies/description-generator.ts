import type { InternalAction } from '../action/internal-action.ts';
import { getRequiredFields as readRequiredFields } from './schema-utils.ts';

/** Input of {@link generateDescription}. */
export interface DescriptionSource {
  readonly actions: readonly InternalAction[];
  readonly toolName: string;
  readonly description?: string | undefined;
  /** Whether the keys of the actions are `group.action`. Default: false. */
  readonly hasGroup?: boolean;
  /** Name of the argument that selects the action. */
  readonly discriminator: string;
  /** Returns the required fields of an action. Default: `SchemaUtils.getRequiredFields`. */
  readonly getRequiredFields?: ((action: InternalAction) => readonly string[]) | undefined;
}

/** Generates a description in up to three parts: summary, one line per action, examples. */
export function generateDescription(source: DescriptionSource): string {
  const workflow = describeWorkflow(source);
  const examples = source.actions.flatMap(({ key, examples }) =>
    examples.map((example) => `- ${writeExample(example, source.discriminator, key)}`),
  );
  return [
    summarize(source),
    ...(workflow.length === 0 ? [] : [['Workflow:', ...workflow].join('\n')]),
    ...(examples.length === 0 ? [] : [['Examples:', ...examples].join('\n')]),
  ].join('\n\n');
}

/** The first part: the purpose of the tool, and the names of its actions. */
export function summarize({ actions, toolName, description, hasGroup }: DescriptionSource): string {
  const purpose = description?.trim() || toolName;
  if (actions.length === 0) return purpose;
  const list =
    hasGroup === true
      ? `Modules: ${getGroupSummaries(actions).join(' | ')}`
      : `Actions: ${actions.map(({ actionName }) => actionName).join(', ')}`;
  return `${withFullStop(purpose)} ${list}`;
}

/** Returns the actions by group, in the order of the groups: `users (list,create)`. */
export function getGroupSummaries(actions: readonly InternalAction[]): string[] {
  const groups = groupActions(actions);
  return [...groups].map(([group, members]) => {
    const names = members.map(({ actionName }) => actionName).join(',');
    return group === '' ? names : `${group} (${names})`;
  });
}

/** Actions by group name, in the order of first use. */
export function groupActions(
  actions: readonly InternalAction[],
): ReadonlyMap<string, readonly InternalAction[]> {
  const groups = new Map<string, InternalAction[]>();
  for (const action of actions) {
    const group = groups.get(action.groupName ?? '');
    if (group === undefined) groups.set(action.groupName ?? '', [action]);
    else group.push(action);
  }
  return groups;
}

/** One line per action; the description of a group comes before its first action. */
function describeWorkflow(source: DescriptionSource): string[] {
  const described = new Set<string>();
  return source.actions.flatMap((action) => {
    const lines = describeAction(action, source);
    const { groupName, groupDescription } = action;
    if (groupName === undefined || groupDescription === undefined || described.has(groupName)) return lines;
    described.add(groupName);
    return [`${groupName}: ${toOneLine(groupDescription)}`, ...lines];
  });
}

function describeAction(action: InternalAction, source: DescriptionSource): string[] {
  const required = (source.getRequiredFields ?? readRequiredFields)(action);
  // One line per action: line breaks in a description are removed.
  const description = toOneLine(action.description ?? '');
  const isDestructive = action.destructive === true;
  if (description === '' && required.length === 0 && !isDestructive) return [];
  const requires = required.length === 0 ? '' : `Requires: ${required.join(', ')}`;
  const text =
    description === '' || requires === ''
      ? description + requires
      : `${withFullStop(description)} ${requires}`;
  return [`- '${action.key}':${text === '' ? '' : ` ${text}`}${isDestructive ? ' ⚠️ DESTRUCTIVE' : ''}`];
}

function writeExample(
  example: Readonly<Record<string, unknown>>,
  discriminator: string,
  key: string,
): string {
  // Set twice: first for its place, then so that no argument of the same name replaces it.
  return JSON.stringify({ [discriminator]: key, ...example, [discriminator]: key });
}

function toOneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}

function withFullStop(sentence: string): string {
  return /[.!?\u2026:]$/.test(sentence) ? sentence : `${sentence}.`;
}
