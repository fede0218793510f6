import { cutText } from '../../../base/cut-text.ts';
import type { InternalAction } from '../action/internal-action.ts';
import type { DescriptionSource } from '../strategies/description-generator.ts';
import type { ArgumentTypes } from './argument-types.ts';
import { describeArguments } from './describe-action-names.ts';

/** The parts of a brief description. */
export interface BriefSource extends Pick<DescriptionSource, 'actions' | 'description' | 'discriminator'> {
  readonly toolName: string;
  /** The key of the action that describes the others. */
  readonly describeKey: string;
  /** The required arguments of an action with their types. */
  readonly typesOf: (action: InternalAction) => ArgumentTypes;
}

/** Maximum length of the description of an action or a group, in characters. */
const MAX_LINE = 120;

/** One line per action: its key, its required arguments with their types, and its description. */
export function generateBriefDescription(source: BriefSource): string {
  const { description, toolName, discriminator, describeKey } = source;
  const purpose = description?.trim() || toolName;
  const { of } = describeArguments(discriminator);
  const example = JSON.stringify({ [discriminator]: describeKey, [of]: source.actions[0]?.key ?? '' });
  return [
    `${/[.!?\u2026:]$/.test(purpose) ? purpose : `${purpose}.`} Each line is an action with its required arguments; ${example} returns all arguments of one.`,
    linesOf(source).join('\n'),
  ].join('\n\n');
}

/** One line per action; the description of a group comes before its first action. */
function linesOf({ actions, typesOf }: BriefSource): string[] {
  const described = new Set<string>();
  return actions.flatMap((action) => {
    const { key, groupName, groupDescription, description = '', destructive } = action;
    const required = Object.entries(typesOf(action)).map(([name, type]) => `${name}: ${type}`);
    const words = firstSentence(description);
    const line = `- ${key}(${required.join(', ')})${words === '' ? '' : `: ${words}`}${destructive === true ? ' ⚠️' : ''}`;
    if (groupName === undefined || groupDescription === undefined || described.has(groupName)) return [line];
    described.add(groupName);
    return [`${groupName}: ${firstSentence(groupDescription)}`, line];
  });
}

/** The first sentence of a text, on one line. */
function firstSentence(text: string): string {
  const line = text.trim().split(/\n/, 1)[0] ?? '';
  const end = line.search(/[.!?](?:\s|$)/);
  return cutText((end === -1 ? line : line.slice(0, end)).trim(), MAX_LINE);
}
