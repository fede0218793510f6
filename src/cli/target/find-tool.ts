import { isObject } from '../../base/is-object.ts';
import { RpcFailure } from '../../client/rpc-client.ts';
import type { RpcClient } from '../../client/rpc-client.ts';
import { findNearestNames } from '../../errors/nearest-names.ts';
import { UsageError } from '../terminal/command.ts';
import { oneLine } from '../terminal/terminal.ts';
import { propertiesOf } from '../terminal/values.ts';

/** An entry of `tools/list`. */
export type ListedTool = Readonly<Record<string, unknown>>;

/** Finds the tool with this name. `tool` is undefined on a server that lists no tools. */
export async function findTool(
  client: RpcClient,
  name: string | undefined,
): Promise<{ readonly name: string; readonly tool: ListedTool | undefined }> {
  const tools = await client.listAll('tools/list', 'tools');
  if (name === undefined) throw new UsageError(`Missing tool name. Tools: ${namesOf(tools).join(', ')}.`);
  const tool = tools.find((each) => each['name'] === name);
  if (tool === undefined && tools.length > 0)
    throw new UsageError(
      `Unknown tool "${name}". ${hintAtAction(name, tools) ?? hintAtName(name, 'Tools', namesOf(tools))}`,
    );
  return { name, tool };
}

/** Replaces the server's error with "Unknown prompt" and similar names if the server lists other prompts but not this one. */
export async function explainPrompt(client: RpcClient, name: string, error: unknown): Promise<unknown> {
  if (!(error instanceof RpcFailure)) return error;
  const names = namesOf(await client.listAll('prompts/list', 'prompts').catch(() => []));
  return names.length === 0 || names.includes(name)
    ? error
    : new UsageError(`Unknown prompt "${name}". ${hintAtName(name, 'Prompts', names)}`);
}

function namesOf(entries: readonly ListedTool[]): string[] {
  return entries.map((entry) => oneLine(entry['name']));
}

function hintAtName(name: string, heading: string, names: readonly string[]): string {
  const near = findNearestNames(name, names);
  return near.length > 0
    ? `Did you mean ${near.map((each) => `"${each}"`).join(' or ')}?`
    : `${heading}: ${names.join(', ')}.`;
}

/** A hint for `todos.list`, the canonical name of an action, if `todos` has an argument with the value `list`. */
function hintAtAction(name: string, tools: readonly ListedTool[]): string | undefined {
  for (const { name: group, inputSchema } of tools) {
    if (typeof group !== 'string' || !name.startsWith(`${group}.`)) continue;
    const action = name.slice(group.length + 1);
    const [argument] =
      Object.entries(propertiesOf(inputSchema)).find(
        ([, member]) => isObject(member) && Array.isArray(member['enum']) && member['enum'].includes(action),
      ) ?? [];
    if (argument !== undefined)
      return `It is an action of "${oneLine(group)}". Write: ${oneLine(group)} ${oneLine(argument)}=${action}`;
  }
  return undefined;
}
