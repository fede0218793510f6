import type { RpcClient } from '../../client/rpc-client.ts';
import { findNearestNames } from '../../errors/nearest-names.ts';
import { UsageError } from '../terminal/command.ts';
import { oneLine } from '../terminal/terminal.ts';

/** A tool as a server lists it. */
export type ListedTool = Readonly<Record<string, unknown>>;

/** The tool of this name; undefined on a server that lists none at all. */
export async function findTool(
  client: RpcClient,
  name: string | undefined,
): Promise<{ readonly name: string; readonly tool: ListedTool | undefined }> {
  const tools = await client.listAll('tools/list', 'tools');
  const names = tools.map((tool) => oneLine(tool['name']));
  if (name === undefined) throw new UsageError(`Which tool? There are: ${names.join(', ')}.`);
  const tool = tools.find((each) => each['name'] === name);
  if (tool === undefined && names.length > 0) {
    const near = findNearestNames(name, names);
    const hint =
      near.length > 0
        ? `Did you mean ${near.map((each) => `"${each}"`).join(' or ')}?`
        : `There are: ${names.join(', ')}.`;
    throw new UsageError(`The server has no tool "${name}". ${hint}`);
  }
  return { name, tool };
}
