/** The command line of mcporter: a process for each call. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import process from 'node:process';
import { promisify } from 'node:util';
import { judge } from '../clients/judge.mjs';

const cli = fileURLToPath(new URL('./node_modules/mcporter/dist/cli.js', import.meta.url));

const connect = async (server) => {
  // A call of a tool that fails ends with 1, and is printed all the same.
  const run = async (...args) => {
    const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args]).catch((error) => error);
    return JSON.parse(stdout);
  };
  return {
    listTools: async () => (await run('list', ...server, '--json')).tools.map((tool) => tool.name),
    call: async (name, args) => {
      const result = await run('call', ...server, name, '--args', JSON.stringify(args), '--output', 'json');
      const { content, isError = false } = result;
      return content === undefined ? { structured: result, isError } : { text: content[0].text, isError };
    },
    close: async () => {},
  };
};

await judge({
  http: (url) => connect(['--http-url', url, '--allow-http']),
  stdio: ([command, ...args]) =>
    connect(['--stdio', command, ...args.flatMap((arg) => ['--stdio-arg', arg])]),
});
