/** Command or URL by which a client reaches a server. */
export type Reach =
  | {
      readonly command: string;
      readonly args: readonly string[];
      /** Environment variables of the server: clients start it without those of a shell. */
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly url: string };

/** Configuration snippet for one client. */
interface Snippet {
  readonly title: string;
  readonly where: string;
  readonly write: (name: string, reach: Reach) => string;
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
/** One argument of a command line, quoted if a shell would change it. */
export const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Snippets of common clients, by their name on the command line. */
export const SNIPPETS: Readonly<Record<string, Snippet>> = {
  'claude-code': {
    title: 'Claude Code',
    where: 'Run this command:',
    write: (name, reach) => {
      if ('url' in reach) return `claude mcp add --transport http ${quote(name)} ${quote(reach.url)}`;
      const env = Object.entries(reach.env ?? {}).map(([key, value]) => `--env ${quote(`${key}=${value}`)} `);
      const command = [reach.command, ...reach.args].map(quote).join(' ');
      return `claude mcp add ${quote(name)} ${env.join('')}-- ${command}`;
    },
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
    write: (name, reach) => {
      const table = `[mcp_servers.${JSON.stringify(name)}]`;
      if ('url' in reach) return `${table}\nurl = ${JSON.stringify(reach.url)}`;
      const env = Object.entries(reach.env ?? {}).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
      return [
        table,
        `command = ${JSON.stringify(reach.command)}`,
        `args = ${JSON.stringify(reach.args)}`,
        ...(env.length === 0 ? [] : [`env = { ${env.join(', ')} }`]),
      ].join('\n');
    },
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
