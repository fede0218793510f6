import type { Caller, ToolSurface } from 'toolwright';
import type { FitnessContext } from '../../../src/context.ts';

type Surface = ToolSurface<FitnessContext>;
/** Number of tools that are described at once. */
const BATCH = 9;

type ListedTool = ReturnType<Surface['listTools']>[number];

/** The form of the list of one caller. */
export function findForm(surface: Surface, caller: Caller): 'search' | 'grouped' | 'flat' {
  if (surface.listTools(caller).some(({ name }) => name === 'call_tool')) return 'search';
  return surface.options.groupBy === 'category' ? 'grouped' : 'flat';
}

/** The tools that a caller can find in a surface, in any exposure. */
export async function listNames(
  surface: Surface,
  caller: Caller,
  names: readonly string[],
): Promise<string[]> {
  if (findForm(surface, caller) !== 'search') return surface.listTools(caller).flatMap(toNames);
  const found: string[] = [];
  for (let first = 0; first < names.length; first += BATCH) {
    const wanted = names.slice(first, first + BATCH);
    const call = { name: 'describe_tool', arguments: { names: wanted }, ...caller };
    const { content, isError } = await surface.executeTool(call);
    // None of them is visible.
    if (isError === true) continue;
    const [block] = content;
    const { tools = [] } = JSON.parse(block?.type === 'text' ? block.text : '{}') as {
      readonly tools?: readonly { readonly name: string }[];
    };
    found.push(...tools.map(({ name }) => name));
  }
  return found;
}

/**
 * The tools whose arguments are validated when the caller calls them, in any exposure: only the gate comes before. All calls have an
 * argument that no tool has, so no handler runs.
 */
export async function callNames(
  surface: Surface,
  caller: Caller,
  tools: ReadonlyMap<string, string>,
): Promise<string[]> {
  const form = findForm(surface, caller);
  const given = { no_such_argument: true };
  const reached: string[] = [];
  for (const [name, category] of tools) {
    const call =
      form === 'search'
        ? { name: 'call_tool', arguments: { name, arguments: given } }
        : form === 'grouped'
          ? { name: category, arguments: { action: name, ...given } }
          : { name, arguments: given };
    const reply = await surface.handleCall({ ...call, ...caller });
    if (
      reply.kind === 'protocol-error' &&
      reply.message.startsWith(`Invalid arguments for tool '${name}'.`) &&
      reply.message.includes('no_such_argument')
    )
      reached.push(name);
  }
  return reached;
}

/** A tool, or the actions of a category. */
function toNames({ name, inputSchema }: ListedTool): string[] {
  const { action } = (inputSchema['properties'] ?? {}) as {
    readonly action?: { readonly enum?: string[]; readonly const?: string };
  };
  if (action === undefined) return [name];
  return action.enum ?? (action.const === undefined ? [] : [action.const]);
}
