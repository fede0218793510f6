/** How a client starts or reaches a server. */
export type Reach = { readonly command: string; readonly args: readonly string[] } | { readonly url: string };

/** What is put where, for one client. */
interface Snippet {
  readonly title: string;
  readonly where: string;
  readonly write: (name: string, reach: Reach) => string;
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Clients that people use, by the name on the command line. */
export const SNIPPETS: Readonly<Record<string, Snippet>> = {
  'claude-code': {
    title: 'Claude Code',
    where: 'Run this command:',
    write: (name, reach) =>
      'url' in reach
        ? `claude mcp add --transport http ${quote(name)} ${quote(reach.url)}`
        : `claude mcp add ${quote(name)} -- ${[reach.command, ...reach.args].map(quote).join(' ')}`,
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    where: 'Put this into claude_desktop_config.json (Settings, Developer, Edit Config):',
    write: (name, reach) =>
      json({
        mcpServers: {
          [name]: 'url' in reach ? { command: 'npx', args: ['-y', 'mcp-remote', reach.url] } : reach,
        },
      }),
  },
  codex: {
    title: 'Codex',
    where: 'Put this into ~/.codex/config.toml:',
    write: (name, reach) =>
      'url' in reach
        ? `[mcp_servers.${JSON.stringify(name)}]\nurl = ${JSON.stringify(reach.url)}`
        : `[mcp_servers.${JSON.stringify(name)}]\ncommand = ${JSON.stringify(reach.command)}\nargs = ${JSON.stringify(reach.args)}`,
  },
  cursor: {
    title: 'Cursor',
    where: 'Put this into .cursor/mcp.json:',
    write: (name, reach) => json({ mcpServers: { [name]: reach } }),
  },
  vscode: {
    title: 'VS Code',
    where: 'Put this into .vscode/mcp.json:',
    write: (name, reach) =>
      json({
        servers: { [name]: 'url' in reach ? { type: 'http', ...reach } : { type: 'stdio', ...reach } },
      }),
  },
};
