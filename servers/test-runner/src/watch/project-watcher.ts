import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Folders that no test is in, or that runs write to. */
const IGNORED: ReadonlySet<string> = new Set([
  'node_modules',
  'venv',
  '__pycache__',
  'coverage',
  'dist',
  'build',
]);
const MAX_FOLDERS = 5_000;

export interface WatcherOptions {
  readonly folder: string;
  readonly onChange: () => void;
  /** Calls back once after a time; returns a function that cancels the callback. */
  readonly schedule: (callback: () => void, delayMs: number) => () => void;
}

/** Changes within this time are one change. */
const QUIET_MS = 100;

/** Watches the files of a project. Hidden files, caches and installed packages are left out: runs change them. */
export class ProjectWatcher {
  readonly #options: WatcherOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** Resolves when all folders are watched. */
  async start(): Promise<void> {
    await this.#add(this.#options.folder);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  async #add(folder: string): Promise<void> {
    if (this.#isClosed || this.#watchers.has(folder) || this.#watchers.size >= MAX_FOLDERS) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => void this.#onChange(folder, name));
      watcher.on('error', () => this.#remove(folder));
      this.#watchers.set(folder, watcher);
      const entries = await readdir(folder, { withFileTypes: true });
      for (const entry of entries)
        if (entry.isDirectory() && !isIgnored(entry.name)) await this.#add(join(folder, entry.name));
    } catch {
      // It has been removed, or it cannot be read.
      this.#remove(folder);
    }
  }

  #remove(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  async #onChange(folder: string, name: string | null): Promise<void> {
    if (this.#isClosed || (name !== null && isIgnored(basename(name)))) return;
    this.#cancel ??= this.#options.schedule(() => {
      this.#cancel = undefined;
      this.#options.onChange();
    }, QUIET_MS);
    // A new folder: its files come with it.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const entry = entries.find((each) => each.name === name);
    if (entry?.isDirectory()) await this.#add(join(folder, entry.name));
  }
}

function isIgnored(name: string): boolean {
  return name.startsWith('.') || IGNORED.has(name) || name.endsWith('.pyc');
}
