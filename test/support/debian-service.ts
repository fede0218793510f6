import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { ROOT } from './dist.ts';

const execute = promisify(execFile);

/** Downloads stay here until `npm ci` removes them. */
const CACHE = join(ROOT, 'node_modules/.cache/debian');

/** Programs may be in folders that are only in the PATH of root. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'];

/** Address of a service, and the folder for its files. */
export interface ServicePlace {
  readonly port: number;
  readonly folder: string;
}

/** A program of Debian and its command line: in the foreground, on 127.0.0.1. */
export interface ServiceOptions {
  /** The program, for example `nginx`. */
  readonly command: string;
  /** The package with the program. Default: the name of the program. */
  readonly package?: string;
  readonly args: (place: ServicePlace) => readonly string[];
  /** Files that are written into the folder first, by name. */
  readonly files?: (place: ServicePlace) => Readonly<Record<string, string>>;
}

/**
 * A service of Debian as a child process, on a free port of 127.0.0.1. Its folder is removed when it is stopped. A program that is
 * not installed is downloaded as a package and unpacked into a cache: that needs no rights, changes nothing on the machine and starts
 * nothing, unlike an installation. If there is no such package, an error is thrown.
 */
export class DebianService {
  readonly port: number;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(process: ChildProcess, { port, folder }: ServicePlace) {
    this.#process = process;
    this.port = port;
    this.#folder = folder;
  }

  /** Starts a service that is ended with the test. */
  static async start(options: ServiceOptions): Promise<DebianService> {
    const service = await DebianService.open(options);
    onTestFinished(() => service.stop());
    return service;
  }

  /** Starts a service that the caller must stop. */
  static async open(options: ServiceOptions): Promise<DebianService> {
    const program = await findProgram(options.command, options.package ?? options.command);
    let output = '';
    // Another program may take the port before this one listens.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const place = {
        port: await findFreePort(),
        folder: await mkdtemp(join(tmpdir(), `${options.command}-`)),
      };
      for (const [name, text] of Object.entries(options.files?.(place) ?? {}))
        await writeFile(join(place.folder, name), text);
      const child = spawn(program.path, [...options.args(place)], {
        cwd: place.folder,
        env: { ...process.env, ...program.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const said = collectOutput(child);
      const service = new DebianService(child, place);
      if (await isListening(child, place.port)) return service;
      await service.stop();
      output = said();
    }
    throw new Error(`${options.command} did not begin to listen:\n${output}`);
  }

  async stop(): Promise<void> {
    if (isRunning(this.#process)) {
      this.#process.kill('SIGKILL');
      await once(this.#process, 'exit');
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Collects the last output of a program, for error messages. */
export function collectOutput(child: ChildProcess): () => string {
  let text = '';
  const collect = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-10_000);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  // A program that cannot be started reports it here.
  child.on('error', (error) => collect(Buffer.from(String(error))));
  return () => text;
}

/** Whether a process runs. */
export function isRunning({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

/** Waits until a server listens on the port; false if the program ends before, or after ten seconds. */
export async function isListening(child: ChildProcess, port: number): Promise<boolean> {
  for (let attempt = 0; attempt < 500 && isRunning(child); attempt += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return isRunning(child);
    await delay(20);
  }
  return false;
}

/** A free port of 127.0.0.1. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A program and its environment. */
export interface Program {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A program, installed or from the package with this name. */
export async function findProgram(command: string, name: string): Promise<Program> {
  const installed = FOLDERS.map((folder) => join(folder, command)).find((path) => existsSync(path));
  if (installed !== undefined) return { path: installed, env: {} };
  const cached = join(CACHE, name);
  if (!existsSync(cached)) await fetchPackage(name, cached);
  const program = await findUnpacked(cached, command);
  if (program === undefined) throw new Error(`The package ${name} of Debian has no program ${command}.`);
  return program;
}

async function findUnpacked(folder: string, command: string): Promise<Program | undefined> {
  const places = ['usr/sbin', 'usr/bin', 'sbin', 'bin'].map((place) => join(folder, place, command));
  const path = places.find((place) => existsSync(place));
  if (path === undefined) return undefined;
  const libraries: string[] = [];
  for (const place of ['usr/lib', 'lib'].map((each) => join(folder, each))) {
    const entries = existsSync(place) ? await readdir(place) : [];
    libraries.push(
      ...entries.filter((entry) => entry.includes('-linux-')).map((entry) => join(place, entry)),
    );
  }
  return { path, env: libraries.length === 0 ? {} : { LD_LIBRARY_PATH: libraries.join(delimiter) } };
}

/** Downloads a package and its missing dependencies, and unpacks them into the folder. */
async function fetchPackage(name: string, folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const work = await mkdtemp(join(CACHE, `.${name}-`));
  try {
    const root = join(work, 'root');
    await mkdir(root);
    try {
      await download(name, work, []);
    } catch {
      // The package lists of the machine may be old or missing.
      await download(name, work, await readLists(work));
    }
    for (const file of await readdir(work))
      if (file.endsWith('.deb')) await execute('dpkg', ['-x', join(work, file), root]);
    // Another test may have been faster; then its result is used.
    await rename(root, folder).catch(() => {});
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Error(
      `This test needs the package ${name} of Debian. It is not installed and could not be fetched; install it and try again.\n${stderr || message}`,
      { cause: error },
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function download(name: string, cwd: string, options: readonly string[]): Promise<void> {
  const install = ['install', '--simulate', '--no-install-recommends', name];
  const { stdout } = await execute('apt-get', [...options, ...install], {
    env: PLAIN,
    maxBuffer: 16_777_216,
  });
  const missing = Array.from(stdout.matchAll(/^Inst (?<name>\S+)/gm), ({ groups }) => groups?.['name'] ?? '');
  // The program is missing, even if the package counts as installed.
  const packages = new Set([...missing, name]);
  await execute('apt-get', [...options, ...AS_WE_ARE, 'download', ...packages], { cwd, env: PLAIN });
}

/** Updates the package lists in a private folder; returns the options that use them. */
async function readLists(work: string): Promise<readonly string[]> {
  const lists = join(work, 'lists');
  await mkdir(join(lists, 'partial'), { recursive: true });
  const cache = join(work, 'cache');
  await mkdir(join(cache, 'archives/partial'), { recursive: true });
  const options = ['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${cache}`];
  await execute('apt-get', [...options, ...AS_WE_ARE, 'update'], { env: PLAIN });
  return options;
}

const PLAIN = { ...process.env, LC_ALL: 'C' };

/** Otherwise apt uses another user for downloads, who may not write here. */
const AS_WE_ARE = ['-o', 'APT::Sandbox::User=root'];
