import { createInterface } from 'node:readline';
import { LinkError, parseMessage } from './link.ts';
import type { Link } from './link.ts';
import { ServerProcess } from './server-process.ts';
import type { ServerProcessOptions } from './server-process.ts';

/** A server that runs as long as it is needed. */
export interface CommandLink extends Link {
  /** Ends it at once: whoever presses Ctrl-C does not want to wait. */
  stop(): Promise<void>;
}

/** A server that is started by a command and talks over its standard input and output. */
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
    const told = server.said === '' ? '' : ` It said:\n${server.said}`;
    link.onEnd(new LinkError(`${shown}: ${reason}.${told}`, { cause }));
  };
  const close = (leave: () => Promise<void>) => (): Promise<void> => {
    isOver = true;
    return leave();
  };
  const link: CommandLink = {
    send: async (message) => {
      if (stdin.destroyed) {
        // One that ends says why, which is more than what is known here.
        await server.settle();
        throw new LinkError(`${shown}: it does not listen any more.`);
      }
      stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    },
    onMessage: () => {},
    onEnd: () => {},
    agree: () => {},
    close: close(() => server.end()),
    stop: close(() => server.stop()),
  };
  void server.ended.then(({ reason, cause }) => end(reason, cause));
  createInterface({ input: stdout, crlfDelay: Infinity }).on('line', (line) => {
    if (line.trim() === '') return;
    const message = parseMessage(line);
    if (message === undefined)
      end(`it wrote something that is not a message to standard output: ${line.slice(0, 200)}`);
    else link.onMessage(message);
  });
  return link;
}

/** A command up to its options: secrets may stand there. */
function showCommand([program, ...words]: readonly [string, ...string[]]): string {
  const first = words.findIndex((word) => word.startsWith('-'));
  return first === -1
    ? [program, ...words].join(' ')
    : [program, ...words.slice(0, first), '\u2026'].join(' ');
}
