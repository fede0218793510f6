import { encode as encodeToon } from '@toon-format/toon';
import type { InternalAction } from '../action/internal-action.ts';
import { groupActions, summarize } from './description-generator.ts';
import type { DescriptionSource } from './description-generator.ts';
import { getRequiredFields as readRequiredFields } from './schema-utils.ts';

/** One action as a row of the table. */
export interface ActionRow {
  readonly action: string;
  readonly desc: string;
  /** The required fields, joined by commas. */
  readonly required: string;
  readonly destructive: boolean;
}

/** The actions of a tool: one table, or one for each group. */
export type ActionTable = readonly ActionRow[] | Readonly<Record<string, readonly ActionRow[]>>;

/** Generates a description with few tokens: a summary, then the actions as a TOON table. */
export function generateToonDescription(source: DescriptionSource): string {
  return `${summarize(source)}\n\n${encodeToon(toActionTable(source))}`;
}

/** Returns the rows of the table before encoding. */
export function toActionTable(source: DescriptionSource): ActionTable {
  const toRow = (action: InternalAction): ActionRow => ({
    action: action.actionName,
    desc: action.description ?? '',
    required: (source.getRequiredFields ?? readRequiredFields)(action).join(','),
    destructive: action.destructive === true,
  });
  if (source.hasGroup !== true) return source.actions.map(toRow);
  const groups = groupActions(source.actions);
  return Object.fromEntries([...groups].map(([group, members]) => [group, members.map(toRow)]));
}
