import { isObject } from '../../base/is-object.ts';
import { RpcFailure } from '../../client/rpc-client.ts';
import type { RpcClient } from '../../client/rpc-client.ts';
import { findNearestNames } from '../../errors/nearest-names.ts';
import { UsageError } from '../terminal/command.ts';
import { oneLine } from '../terminal/terminal.ts';
import { propertiesOf } from '../terminal/values.ts';

/** A tool as a server lists it. */
export type ListedTool = Readonly<Record<string, unknown>>;

/** The tool of this name; undefined on a server that lists none at all. */
export async function findTool(
  client: RpcClient,
  name: string | undefined,
): Promise<{ readonly name: string; readonly tool: ListedTool | undefined }> {
  const tools = await client.listAll('tools/list', 'tools');
  if (name === undefined) throw new UsageError(`Which tool? There are: ${namesOf(tools).join(', ')}.`);
  const tool = tools.find((each) => each['name'] === name);
  if (tool === undefined && tools.length > 0)
    throw new UsageError(
      `The server has no tool "${name}". ${hintAtAction(name, tools) ?? hintAtName(name, namesOf(tools))}`,
    );
  return { name, tool };
}

/** Why a prompt could not be had: the names that are near, where a server lists others and not this one. */
export async function explainPrompt(client: RpcClient, name: string, error: unknown): Promise<unknown> {
  if (!(error instanceof RpcFailure)) return error;
  const names = namesOf(await client.listAll('prompts/list', 'prompts').catch(() => []));
  return names.length === 0 || names.includes(name)
    ? error
    : new UsageError(`The server has no prompt "${name}". ${hintAtName(name, names)}`);
}

function namesOf(entries: readonly ListedTool[]): string[] {
  return entries.map((entry) => oneLine(entry['name']));
}

function hintAtName(name: string, names: readonly string[]): string {
  const near = findNearestNames(name, names);
  return near.length > 0
    ? `Did you mean ${near.map((each) => `"${each}"`).join(' or ')}?`
    : `There are: ${names.join(', ')}.`;
}

/** For `todos.list`, the canonical name of an action, where `todos` has an argument that may be `list`. */
function hintAtAction(name: string, tools: readonly ListedTool[]): string | undefined {
  for (const { name: group, inputSchema } of tools) {
    if (typeof group !== 'string' || !name.startsWith(`${group}.`)) continue;
    const action = name.slice(group.length + 1);
    const [argument] =
      Object.entries(propertiesOf(inputSchema)).find(
        ([, member]) => isObject(member) && Array.isArray(member['enum']) && member['enum'].includes(action),
      ) ?? [];
    if (argument !== undefined)
      return `It is an action of "${oneLine(group)}": call ${oneLine(group)} ${oneLine(argument)}=${action}`;
  }
  return undefined;
}
