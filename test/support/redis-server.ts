import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';
import { collectOutput, findFreePort, findProgram, isListening, isRunning } from './debian-service.ts';

/** Options of {@link RedisServer}. */
export interface RedisServerOptions {
  /** Whether every write is on disk before its reply. Default: `false`, nothing is kept after the process ends. */
  readonly isDurable?: boolean;
  /** Whether the server is a cluster of one node with all slots: scripts whose keys are in different slots fail on it. Default: `false`. */
  readonly isCluster?: boolean;
}

/** A Redis server as a child process, on a free port of 127.0.0.1. `redis-server` is installed, or the package of Debian is downloaded. */
export class RedisServer {
  readonly port: number;
  readonly #folder: string;
  readonly #options: RedisServerOptions;
  #process: ChildProcess | undefined;

  private constructor(port: number, folder: string, options: RedisServerOptions) {
    this.port = port;
    this.#folder = folder;
    this.#options = options;
  }

  static async start(options: RedisServerOptions = {}): Promise<RedisServer> {
    let failure: unknown;
    // Another program may take the port before this one listens.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const folder = await mkdtemp(join(tmpdir(), 'redis-server-'));
      const server = new RedisServer(await findFreePort(), folder, options);
      try {
        await server.restart();
        if (options.isCluster === true) await server.#takeAllSlots();
        return server;
      } catch (error) {
        failure = error;
        await server.stop();
      }
    }
    throw failure;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get isRunning(): boolean {
    return this.#process !== undefined && isRunning(this.#process);
  }

  /** Starts the process again after {@link kill}, on the same port and with the same files. */
  async restart(): Promise<void> {
    const program = await findProgram('redis-server', 'redis-server');
    const durable = this.#options.isDurable === true ? ['yes', '--appendfsync', 'always'] : ['no'];
    const cluster =
      this.#options.isCluster === true
        ? ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1']
        : [];
    const files = ['--dir', this.#folder, '--save', '', '--appendonly', ...durable];
    const args = ['--bind', '127.0.0.1', '--port', String(this.port), ...files, ...cluster];
    const child = spawn(program.path, args, {
      cwd: this.#folder,
      env: { ...process.env, ...program.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = collectOutput(child);
    this.#process = child;
    if (!(await isListening(child, this.port)))
      throw new Error(`redis-server did not begin to listen:\n${said()}`);
  }

  async #takeAllSlots(): Promise<void> {
    await this.execute('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    const state = await until(
      () => this.execute('CLUSTER', 'INFO'),
      (text) => text.includes('cluster_state:ok'),
    );
    if (!state.includes('cluster_state:ok')) throw new Error(`The cluster did not become ready:\n${state}`);
  }

  /** Ends the process like a power failure. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || !isRunning(child)) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  /** Stops the process from running; its connections stay open. */
  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Sends one command and returns its reply as text. */
  async execute(...command: readonly string[]): Promise<string> {
    const { connect } = await import('node:net');
    const socket = connect(this.port, '127.0.0.1').setEncoding('utf8');
    const parts = command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`);
    socket.write(`*${command.length}\r\n${parts.join('')}`);
    const [reply] = (await once(socket, 'data')) as [string];
    socket.destroy();
    return reply.trim();
  }
}
