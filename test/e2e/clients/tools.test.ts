import { beforeAll, describe, expect, test } from 'vitest';
import type { McpTool } from '../../../src/index.ts';
import { COMBINATIONS, useScenario } from '../../support/served-clients.ts';
import { unknownTool } from '../../support/refused.ts';

const TASKS = 'io.modelcontextprotocol/tasks';
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const TOOLS = `
  echo add primes print motto refuse crash whoami count_up go_on let_go speak hang await_stop name_pet
  pick_colour pick_even ask_both book ask_model ask_url ask_roots delete_note deleted_notes
  ask_if_possible compute compute_long compute_later compute_forever add_tool remove_tool
  add_prompt add_resource touch_watched touch_readme
`
  .trim()
  .split(/\s+/);

describe.each(COMBINATIONS)('the $client client over $transport', (combination) => {
  const { era } = combination;
  const open = useScenario(combination);
  let tools: McpTool[] = [];
  beforeAll(async () => {
    tools = await open().listTools();
  });

  test('learns who the server is and what it is for', () => {
    const { official } = open();
    expect(official.getServerVersion()).toEqual({
      name: 'scenarios',
      version: '1.2.3',
      title: 'Scenarios',
      description: 'What official clients are tried on',
      websiteUrl: 'https://example.com/scenarios',
      icons: [{ src: 'https://example.com/server.png', mimeType: 'image/png' }],
    });
    expect(official.getInstructions()).toBe('Try everything once.');
    expect(official.getServerCapabilities()).toEqual({
      logging: {},
      completions: {},
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      ...(era === 'modern' ? { extensions: { [TASKS]: {} } } : {}),
    });
  });

  test('collects the tools of all pages, in the order in which they were registered', () => {
    expect(tools.map((tool) => tool.name)).toEqual(TOOLS);
  });

  // Version 2 fetches all pages itself.
  if (combination.client === 'v1') {
    test('gets pages of the size that was set', async () => {
      const { official } = open();
      const first = await official.listTools();
      expect(first.tools.map((tool) => tool.name)).toEqual(['echo', 'add']);
      const second = await official.listTools({ cursor: first.nextCursor });
      expect(second.tools.map((tool) => tool.name)).toEqual(['primes', 'print']);
    });
  }

  test('sees icons, titles and schemas of tools', () => {
    expect(tools.find((tool) => tool.name === 'echo')).toEqual({
      name: 'echo',
      title: 'Echo',
      description: 'Says the same',
      icons: [{ src: 'https://example.com/echo.png', mimeType: 'image/png', sizes: ['48x48'] }],
      inputSchema: expect.objectContaining({
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
      }) as object,
    });
  });

  test('gets text', async () => {
    const { content, structuredContent } = await open().callTool('echo', { text: 'Grüße, 世界' });
    expect(content).toEqual([{ type: 'text', text: 'Grüße, 世界' }]);
    expect(structuredContent).toBeUndefined();
  });

  test('gets structured output, with defaults filled in', async () => {
    const { content, structuredContent } = await open().callTool('add', { a: 2 });
    expect(structuredContent).toEqual({ sum: 3 });
    expect(content).toEqual([{ type: 'text', text: '{"sum":3}' }]);
  });

  test.each([
    ['primes', [2, 3, 5], 'array'],
    ['motto', 'festina lente', 'string'],
  ])('gets the output of %s, which is no object, as its revision can carry it', async (name, value, type) => {
    const { outputSchema } = tools.find((tool) => tool.name === name) ?? {};
    const { structuredContent } = await open().callTool(name);
    if (era === 'modern') {
      expect(outputSchema).toMatchObject({ type });
      expect(structuredContent).toEqual(value);
    } else {
      expect(outputSchema).toMatchObject({
        type: 'object',
        properties: { result: { type } },
        required: ['result'],
      });
      expect(structuredContent).toEqual({ result: value });
    }
  });

  test('reads what a tool says about its failure, and nothing else', async () => {
    const client = open();
    expect(await client.callTool('refuse')).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'There is no note 7.\nSuggestion: Call search_notes.' }],
    });
    const crashed = await client.callTool('crash');
    expect(crashed.isError).toBe(true);
    // `toolwright dev` sends the message of an error to the model, without credentials.
    const secret = combination.transport === 'dev' ? 'admin' : 'postgres';
    expect(JSON.stringify(crashed)).not.toContain(secret);
  });

  test('is refused a tool that does not exist, as an error of the protocol', async () => {
    await expect(open().callTool('ecko')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(new RegExp(`${unknownTool('ecko').message}$`)) as string,
      data: { suggestions: ['echo'] },
    });
  });

  test('is told what is wrong with its arguments, as a result the model can read', async () => {
    const answer = await open().callTool('add', { a: 'two' });
    expect(answer.isError).toBe(true);
    expect(answer.content).toEqual([{ type: 'text', text: expect.stringContaining('a: ') as string }]);
  });

  test('is known by its name, its version and its revision, with its trace', async () => {
    const meta = { traceparent: TRACEPARENT, tracestate: 'vendor=1', baggage: 'user=7' };
    const { structuredContent } = await open().callTool('whoami', {}, { meta });
    expect(structuredContent).toEqual({
      client: 'official',
      version: '7.8.9',
      protocolVersion: era === 'modern' ? '2026-07-28' : '2025-11-25',
      ...meta,
    });
  });

  test('that knows no tasks is answered where one is optional, and refused where it is required', async () => {
    const client = open();
    expect(await client.callText('compute', { label: 'pi' })).toBe('computed pi');
    const message = `Tool 'compute_long' runs as a task only, which needs a client with the extension ${TASKS}.`;
    const call = client.callTool('compute_long');
    if (era === 'modern') {
      const data = { requiredCapabilities: { extensions: { [TASKS]: {} } } };
      await expect(call).rejects.toMatchObject({ code: -32021, data });
      await expect(call).rejects.toThrow(message);
    } else {
      expect(await call).toMatchObject({ isError: true, content: [{ type: 'text', text: message }] });
    }
  });

  test('gets answers to many calls at once, each its own', async () => {
    const client = open();
    const texts = Array.from({ length: 20 }, (_, index) => `number ${index}`);
    expect(await Promise.all(texts.map((text) => client.callText('echo', { text })))).toEqual(texts);
  });
});
