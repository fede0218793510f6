import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer } from '../../../src/index.ts';
import type { ToolwrightServer } from '../../../src/index.ts';
import { serveHttp } from '../../../src/http.ts';
import { CLIENTS, connectDirectly, connectOverHttp } from '../../support/served-clients.ts';
import type { ClientName, ServedClient } from '../../support/served-clients.ts';

const EVERYTHING = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
const KINDS = ['tools', 'prompts', 'resources'] as const;

const addTool = (server: ToolwrightServer, name: string): unknown =>
  server.registerTool(name, { description: 'D', inputSchema: z.object({}) }, () => `from ${name}`);
const addPrompt = (server: ToolwrightServer, name: string): unknown =>
  server.registerPrompt({ name, template: `from ${name}` });
const addResource = (server: ToolwrightServer, name: string): unknown =>
  server.registerResource({ uri: `a://${name}`, name, text: `from ${name}` });

function fill(server: ToolwrightServer, name: string): void {
  addTool(server, name);
  addPrompt(server, name);
  addResource(server, name);
}

const CONNECT: Record<
  string,
  (name: ClientName, server: ToolwrightServer, url: string) => Promise<ServedClient>
> = {
  memory: (name, server) => connectDirectly(name, server),
  HTTP: (name, _server, url) => connectOverHttp(name, url),
};

describe.each(CLIENTS)('the $client client', ({ client: name, era }) => {
  describe.each(Object.entries(CONNECT))('over %s', (_transport, connect) => {
    test('is told of what is registered while the server runs, and finds it', async () => {
      const server = createServer({ name: 's', version: '1' });
      fill(server, 'first');
      await using running = await serveHttp(server, { port: 0 });
      await using client = await connect(name, server, running.url);
      if (era === 'modern') expect((await client.listen(EVERYTHING)).honoredFilter).toEqual(EVERYTHING);
      const heard = Promise.all(KINDS.map((kind) => client.next(`notifications/${kind}/list_changed`)));
      fill(server, 'second');
      await heard;
      expect((await client.listTools()).map((tool) => tool.name)).toEqual(['first', 'second']);
      expect((await client.listPrompts()).map((prompt) => prompt.name)).toEqual(['first', 'second']);
      expect((await client.listResources()).map(({ uri }) => uri)).toEqual(['a://first', 'a://second']);
      expect(await client.callText('second')).toBe('from second');

      const gone = Promise.all(KINDS.map((kind) => client.next(`notifications/${kind}/list_changed`)));
      server.unregisterTool('first');
      server.unregisterPrompt('first');
      server.unregisterResource('a://first');
      await gone;
      expect((await client.listTools()).map((tool) => tool.name)).toEqual(['second']);
      expect((await client.listPrompts()).map((prompt) => prompt.name)).toEqual(['second']);
      expect((await client.listResources()).map(({ uri }) => uri)).toEqual(['a://second']);
      await server.close();
    });

    test('sees what the server has declared when it came', async () => {
      const server = createServer({ name: 's', version: '1' });
      await using running = await serveHttp(server, { port: 0 });
      {
        await using early = await connect(name, server, running.url);
        expect(Object.keys(early.official.getServerCapabilities() ?? {})).toEqual(['logging']);
      }
      addPrompt(server, 'first');
      {
        await using later = await connect(name, server, running.url);
        const declared = Object.keys(later.official.getServerCapabilities() ?? {});
        expect(declared.toSorted()).toEqual(['completions', 'logging', 'prompts']);
      }
      fill(server, 'second');
      await using last = await connect(name, server, running.url);
      const declared = Object.keys(last.official.getServerCapabilities() ?? {});
      expect(declared).toEqual(
        expect.arrayContaining(['completions', 'logging', 'tools', 'prompts', 'resources']),
      );
      expect((await last.listPrompts()).map((prompt) => prompt.name)).toEqual(['first', 'second']);
      await server.close();
    });
  });
});

test('a session that was never told of prompts hears nothing of them', async () => {
  const server = createServer({ name: 's', version: '1' });
  addTool(server, 'first');
  await using client = await connectDirectly('v1', server);
  const heard = client.next('notifications/tools/list_changed');
  addPrompt(server, 'first');
  addResource(server, 'first');
  addPrompt(server, 'second');
  addTool(server, 'second');
  await heard;
  expect(client.heard.map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
  await server.close();
});
