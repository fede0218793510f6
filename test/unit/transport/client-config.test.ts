import { expect, test } from 'vitest';
import { DefinitionError } from '../../../src/index.ts';
import { formatClientConfig } from '../../../src/stdio.ts';

const COMMAND = {
  name: 'notes',
  command: '/usr/bin/node',
  args: ['/opt/my notes/main.js'],
  env: { KEY: 'k' },
};

test('a command is formatted for each client', () => {
  const text = (client: string): string => formatClientConfig(client, COMMAND).text;
  const { command, args, env } = COMMAND;
  expect(text('claude-code')).toBe(
    "claude mcp add notes --env KEY=k -- /usr/bin/node '/opt/my notes/main.js'",
  );
  expect(text('codex')).toBe(
    '[mcp_servers."notes"]\ncommand = "/usr/bin/node"\nargs = ["/opt/my notes/main.js"]\nenv = { KEY = "k" }',
  );
  for (const client of ['claude-desktop', 'cursor'])
    expect(JSON.parse(text(client))).toEqual({ mcpServers: { notes: { command, args, env } } });
  expect(JSON.parse(text('vscode'))).toEqual({ servers: { notes: { type: 'stdio', command, args, env } } });
});

test('a URL is formatted, and the result names the place for it', () => {
  const { where, text } = formatClientConfig('cursor', { name: 'notes', url: 'http://127.0.0.1:3000/mcp' });
  expect(where).toBe('Put this into .cursor/mcp.json:');
  expect(JSON.parse(text)).toEqual({ mcpServers: { notes: { url: 'http://127.0.0.1:3000/mcp' } } });
});

test('an unknown client is an error that lists the clients', () => {
  const format = (client: string) => () => formatClientConfig(client, COMMAND);
  expect(format('cursr')).toThrow(
    'Unknown client "cursr". Did you mean "cursor"? Clients: claude-code, claude-desktop, codex, cursor, vscode.',
  );
  expect(format('toString')).toThrow(DefinitionError);
});
