import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { LinkError } from './link.ts';
import type { Link, RpcMessage } from './link.ts';

/** How long a server has to leave after its input has ended. */
const GRACE_MS = 3000;
/** So much of what it said is shown when it fails. */
const MAX_SAID = 2000;

/** A server that is started by a command and talks over its standard input and output. */
export function linkToCommand(command: string, args: readonly string[]): Link {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-MAX_SAID);
  });
  const shown = [command, ...args].join(' ');
  let isClosing = false;
  const end = (reason: string, cause?: Error): void => {
    if (isClosing) return;
    const told = said.trim() === '' ? '' : ` It said:\n${said.trim()}`;
    link.onEnd(new LinkError(`${shown}: ${reason}.${told}`, { cause }));
  };
  const link: Link = {
    send: async (message) => {
      if (child.stdin.destroyed) throw new LinkError(`${shown}: it does not listen any more.`);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    },
    onMessage: () => {},
    onEnd: () => {},
    agree: () => {},
    close: async () => {
      isClosing = true;
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const left = once(child, 'exit');
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      await left;
      clearTimeout(timer);
    },
  };
  child.stdin.on('error', () => {});
  child.on('error', (error) =>
    end(`it cannot be started (${(error as NodeJS.ErrnoException).code ?? error.message})`, error),
  );
  child.on('exit', (code, signal) =>
    end(code === null ? `it was ended by ${signal ?? 'a signal'}` : `it ended with code ${code}`),
  );
  createInterface({ input: child.stdout, crlfDelay: Infinity }).on('line', (line) => {
    if (line.trim() === '') return;
    try {
      link.onMessage(JSON.parse(line) as RpcMessage);
    } catch {
      end(`it wrote something that is no message to standard output: ${line.slice(0, 200)}`);
    }
  });
  return link;
}
