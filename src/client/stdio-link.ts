import { createInterface } from 'node:readline';
import { LinkError, parseMessage } from './link.ts';
import type { Link } from './link.ts';
import { ServerProcess } from './server-process.ts';
import type { ServerProcessOptions } from './server-process.ts';

/** A link to a server that was started by a command. */
export interface CommandLink extends Link {
  /** Ends the server immediately, for Ctrl-C. */
  stop(): Promise<void>;
}

/** Starts a server with a command, and creates a link over its standard input and output. */
export function linkToCommand(
  command: readonly [string, ...string[]],
  options: ServerProcessOptions = {},
): CommandLink {
  const server = new ServerProcess(command, options);
  const { stdin, stdout } = server.child;
  const shown = showCommand(command);
  let isOver = false;
  const end = (reason: string, cause?: Error): void => {
    if (isOver) return;
    isOver = true;
    const told = server.said === '' ? '' : ` Standard error:\n${server.said}`;
    link.onEnd(new LinkError(`${shown}: ${reason}.${told}`, { cause }));
  };
  const close = (leave: () => Promise<void>) => (): Promise<void> => {
    isOver = true;
    return leave();
  };
  const link: CommandLink = {
    send: async (message) => {
      if (stdin.destroyed) {
        // If the process ends, its exit gives a better reason.
        await server.settle();
        throw new LinkError(`${shown}: it has closed its standard input.`);
      }
      stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    },
    onMessage: () => {},
    onEnd: () => {},
    agree: () => {},
    silenceHint: 'Does the command serve stdio? For an HTTP server, start it and pass its URL.',
    close: close(() => server.end()),
    stop: close(() => server.stop()),
  };
  void server.ended.then(({ reason, cause }) => end(reason, cause));
  createInterface({ input: stdout, crlfDelay: Infinity }).on('line', (line) => {
    if (line.trim() === '') return;
    const message = parseMessage(line);
    if (message === undefined)
      end(`it wrote a line that is not a JSON-RPC message to standard output: ${line.slice(0, 200)}`);
    else link.onMessage(message);
  });
  return link;
}

/** The command without its options, which may contain secrets. */
function showCommand([program, ...words]: readonly [string, ...string[]]): string {
  const first = words.findIndex((word) => word.startsWith('-'));
  return first === -1
    ? [program, ...words].join(' ')
    : [program, ...words.slice(0, first), '\u2026'].join(' ');
}
