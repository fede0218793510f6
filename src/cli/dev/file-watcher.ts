import { statSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { systemClock } from '../../stores/clock.ts';
import type { Clock } from '../../stores/clock.ts';

/** Editors save in several steps, and some save many files at once. */
const QUIET_MS = 100;

/** Options of {@link FileWatcher}. */
export interface FileWatcherOptions {
  /** Called once after some files have changed, and nothing has for a moment. */
  readonly onChange: (files: readonly string[]) => void;
  readonly onProblem: (message: string) => void;
  readonly clock?: Clock;
}

/**
 * Tells when one of some files changes. It is their folders that are watched: many editors put a new file in the place of the old one,
 * and whoever watches the file itself would go on watching the old one.
 */
export class FileWatcher {
  readonly #options: FileWatcherOptions;
  readonly #clock: Clock;
  /** How each file looked when it was last looked at. */
  readonly #files = new Map<string, string>();
  readonly #folders = new Map<string, FSWatcher>();
  readonly #touched = new Set<string>();
  #cancel: () => void = () => {};

  constructor(options: FileWatcherOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Watches these files too. */
  addFiles(files: readonly string[]): void {
    for (const file of files) {
      if (this.#files.has(file)) continue;
      this.#files.set(file, lookOf(file));
      this.#watch(dirname(file), {}, (name) => this.#touch(join(dirname(file), name)));
    }
  }

  /** Watches a folder and all that is in it, but for packages and what is hidden. */
  addFolder(folder: string): void {
    this.#watch(folder, { recursive: true }, (name) => {
      if (name.split(sep).some((part) => part === 'node_modules' || part.startsWith('.'))) return;
      const file = join(folder, name);
      if (!this.#files.has(file)) this.#files.set(file, '');
      this.#touch(file);
    });
  }

  close(): void {
    this.#cancel();
    for (const watcher of this.#folders.values()) watcher.close();
    this.#folders.clear();
  }

  #watch(folder: string, options: { recursive?: boolean }, onEvent: (name: string) => void): void {
    const key = `${folder} ${String(options.recursive)}`;
    if (this.#folders.has(key)) return;
    try {
      const watcher = watch(folder, options, (_event, name) => {
        if (name === null) for (const file of this.#files.keys()) onEvent(basename(file));
        else onEvent(name);
      });
      watcher.on('error', (error) => this.#options.onProblem(`${folder} is not watched: ${error.message}`));
      this.#folders.set(key, watcher);
    } catch (error) {
      this.#options.onProblem(`${folder} is not watched: ${(error as Error).message}`);
    }
  }

  #touch(file: string): void {
    if (!this.#files.has(file)) return;
    this.#touched.add(file);
    this.#cancel();
    this.#cancel = this.#clock.schedule(() => this.#settle(), QUIET_MS);
  }

  /** What looks as before has not changed; what is gone is about to come back, or is not needed any more. */
  #settle(): void {
    const changed = Array.from(this.#touched).filter((file) => {
      const look = lookOf(file);
      if (look === '' || look === this.#files.get(file)) return false;
      this.#files.set(file, look);
      return true;
    });
    this.#touched.clear();
    if (changed.length > 0) this.#options.onChange(changed.toSorted());
  }
}

function lookOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? '' : `${stats.mtimeNs} ${stats.size} ${stats.ino}`;
}
