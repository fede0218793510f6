import { didYouMean } from '../errors/nearest-names.ts';
import type { ToolRegistry } from '../registry/tool-registry.ts';
import type { Mistake } from './file/small-schema.ts';

/** Mistakes for pinned names of unknown tools. */
export function findPinnedMistakes(pinned: readonly string[] = [], tools: ToolRegistry): Mistake[] {
  return pinned.flatMap((name, index) => {
    if (tools.has(name)) return [];
    const known = tools.getToolDefinitions().map((tool) => tool.name);
    return [{ path: [index], message: `is an unknown tool: "${name}".${didYouMean(name, known)}` }];
  });
}
