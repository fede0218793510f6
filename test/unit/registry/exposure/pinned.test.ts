import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, createTool, ToolRegistry } from '../../../../src/index.ts';
import type { Caller, SurfaceOptions, ToolRegistryOptions, ToolSurface } from '../../../../src/index.ts';
import { recordLog } from '../../../support/log-recorder.ts';
import { duplicate, refused, unknownToolReply } from '../../../support/refused.ts';

const admin: Caller = { principal: { id: 'ada', scopes: ['admin'] } };
const SEARCH = ['search_tools', 'describe_tool', 'call_tool'];

function sample(options: ToolRegistryOptions = {}): ToolRegistry {
  return new ToolRegistry(options)
    .register(
      createTool('notes')
        .action({ name: 'list', description: 'Lists notes', readOnly: true, handler: () => 'listed' })
        .action({ name: 'add', description: 'Adds a note', scopes: ['admin'], handler: () => 'added' }),
    )
    .register({ name: 'ping', description: 'Pings', inputSchema: z.object({}), handler: () => 'pong' })
    .register({ name: 'pong', description: 'Pongs', inputSchema: z.object({}), handler: () => 'ping' });
}

const open = (pinned: string[], more: SurfaceOptions = {}): ToolSurface =>
  sample().surface({ exposure: 'search', pinned, ...more });
const names = (surface: ToolSurface, caller: Caller = {}): string[] =>
  surface.listTools(caller).map((tool) => tool.name);

describe('pinned tools', () => {
  test('are listed behind the search tools, by canonical name or by tool, in the order of the catalog', () => {
    expect(names(open([]))).toEqual(SEARCH);
    expect(names(open(['ping', 'notes.list']))).toEqual([...SEARCH, 'notes_list', 'ping']);
    expect(names(open(['notes']), admin)).toEqual([...SEARCH, 'notes_list', 'notes_add']);
  });

  test('are called by their own names; other tools are not', async () => {
    const surface = open(['ping', 'notes.list']);
    expect((await surface.executeTool({ name: 'notes_list' })).content).toEqual([
      { type: 'text', text: 'listed' },
    ]);
    expect(await surface.handleCall({ name: 'pong' })).toMatchObject(unknownToolReply('pong'));
    const call = { name: 'call_tool', arguments: { name: 'notes.list' } };
    expect((await surface.executeTool(call)).content).toEqual([{ type: 'text', text: 'listed' }]);
  });

  test('are hidden from callers who may not see them', async () => {
    const surface = open(['notes.add', 'ping']);
    expect(names(surface)).toEqual([...SEARCH, 'ping']);
    expect(names(surface, admin)).toEqual([...SEARCH, 'notes_add', 'ping']);
    expect(await surface.handleCall({ name: 'notes_add' })).toEqual(unknownToolReply('notes_add'));
    const readOnly = open(['notes'], { policy: { profile: 'read-only' } });
    expect(names(readOnly, admin)).toEqual([...SEARCH, 'notes_list']);
  });

  test('stay listed where auto turns to search', () => {
    const pinned = ['ping'];
    expect(names(open(pinned, { exposure: 'auto', tokenBudget: 1 }))).toEqual([...SEARCH, 'ping']);
    expect(names(open(pinned, { exposure: 'auto' }))).toEqual(['notes_list', 'ping', 'pong']);
    expect(names(open(pinned, { exposure: 'flat' }))).toEqual(['notes_list', 'ping', 'pong']);
  });

  test('can be an option of a registry and of a server', () => {
    const options = { exposure: 'search', pinned: ['ping'] } as const;
    expect(
      sample(options)
        .listTools()
        .map((tool) => tool.name),
    ).toEqual([...SEARCH, 'ping']);
    const server = createServer({ name: 's', version: '1', tools: sample(), ...options });
    expect(server.tools?.listTools().map((tool) => tool.name)).toEqual([...SEARCH, 'ping']);
  });

  test('that come and go change the list of callers who see them', () => {
    const registry = sample({ exposure: 'search', pinned: ['late'] });
    const surface = registry.surface();
    const isOther = surface.watch();
    const late = (name: string): void => {
      registry.register({ name, description: 'Late', inputSchema: z.object({}), handler: () => 1 });
    };
    late('late');
    expect(isOther({})).toBe(true);
    expect(names(surface)).toEqual([...SEARCH, 'late']);
  });

  test('are named in the log if there are none of that name', () => {
    const { logger, entries } = recordLog();
    const registry = sample({ logger, exposure: 'search', pinned: ['ping', 'pung'] });
    registry.listTools();
    expect(entries).toEqual([
      { level: 'warning', message: 'Unknown tools in pinned', fields: { names: ['pung'] } },
    ]);
  });

  test('may not be named like a search tool', () => {
    const registry = new ToolRegistry({ exposure: 'search', pinned: ['call.tool'] });
    const call = createTool('call').action({ name: 'tool', handler: () => 1 });
    expect(() => registry.register(call)).toThrow(duplicate('Tool', 'call_tool'));
  });

  test.each([['ping'], [[7]], [{}]])('%j is refused', (pinned) => {
    expect(() => new ToolRegistry().surface({ pinned: pinned as string[] })).toThrow(
      refused('pinned', { expected: 'an array of strings' }),
    );
  });
});
