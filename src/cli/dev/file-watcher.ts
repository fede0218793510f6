import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';

/** Editors save in several steps, and some save many files at once. */
const QUIET_MS = 100;
/** How often everything is looked at anew: what a system does not tell of is noticed all the same, such as a folder that was made again. */
const LOOK_MS = 1000;
/** So many files of a folder are watched. */
const MAX_FILES = 5000;
/** Larger ones are told apart by their time and size alone. */
const MAX_HASHED = 4_194_304;

/** Options of {@link FileWatcher}. */
export interface FileWatcherOptions {
  /** Called once after some files have changed, and nothing has for a moment. */
  readonly onChange: (files: readonly string[]) => void;
  readonly onProblem: (message: string) => void;
  readonly clock?: Clock;
}

/** How a file looked. */
interface Look {
  /** Empty where there is none. */
  readonly stamp: string;
  readonly content: string;
}

/**
 * Tells when one of some files changes, by what is in them: one that is written anew with the same content has not changed. The folders
 * of files are watched, not the files, because many editors put a new file in the place of the old one.
 */
export class FileWatcher {
  readonly #options: FileWatcherOptions;
  readonly #clock: Clock;
  readonly #files = new Map<string, Look>();
  /** What stands in a folder that is watched as a whole. */
  readonly #folders = new Map<string, ReadonlySet<string>>();
  readonly #watchers = new Map<string, FSWatcher>();
  #cancelLook: () => void;
  #cancelQuiet: () => void = () => {};
  #isClosed = false;

  constructor(options: FileWatcherOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#cancelLook = this.#lookLater();
  }

  /** Watches these files too. */
  addFiles(files: readonly string[]): void {
    if (this.#isClosed) return;
    for (const file of files) {
      if (this.#files.has(file)) continue;
      this.#files.set(file, lookAt(file));
      this.#watch(dirname(file));
    }
  }

  /** Watches a folder and all that is in it, but for packages and what is hidden. */
  addFolder(folder: string): void {
    const found = filesIn(folder);
    if (found.length === MAX_FILES)
      this.#options.onProblem(`${folder} has too many files: ${MAX_FILES} of them are watched.`);
    this.#folders.set(folder, new Set(found));
    this.addFiles(found);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelLook();
    this.#cancelQuiet();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Where it cannot be watched, it is looked at from time to time. */
  #watch(folder: string): void {
    if (this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, () => {
        this.#cancelQuiet();
        this.#cancelQuiet = this.#clock.schedule(() => this.#look(), QUIET_MS);
      });
      watcher.on('error', () => this.#forget(folder, watcher));
      this.#watchers.set(folder, watcher);
    } catch {
      // It is not there, or there are too many watchers already.
    }
  }

  #forget(folder: string, watcher: FSWatcher): void {
    watcher.close();
    if (this.#watchers.get(folder) === watcher) this.#watchers.delete(folder);
  }

  #lookLater(): () => void {
    return this.#clock.schedule(
      () => {
        this.#cancelLook = this.#lookLater();
        this.#look();
      },
      LOOK_MS,
      true,
    );
  }

  #look(): void {
    const changed = [...this.#changedFiles(), ...this.#changedFolders()];
    if (changed.length > 0 && !this.#isClosed)
      this.#options.onChange(Array.from(new Set(changed)).toSorted());
  }

  #changedFiles(): string[] {
    return Array.from(this.#files).flatMap(([file, before]) => {
      const stamp = stampOf(file);
      // What is gone is about to come back, or is not needed any more.
      if (stamp === '' || stamp === before.stamp) return [];
      // A folder that was made again needs a new watcher.
      const watcher = before.stamp === '' ? this.#watchers.get(dirname(file)) : undefined;
      if (watcher !== undefined) this.#forget(dirname(file), watcher);
      this.#watch(dirname(file));
      const look = lookAt(file);
      this.#files.set(file, look);
      return look.content === before.content ? [] : [file];
    });
  }

  #changedFolders(): string[] {
    return Array.from(this.#folders).flatMap(([folder, before]) => {
      const now = new Set(filesIn(folder));
      const added = Array.from(now).filter((file) => !before.has(file));
      const gone = Array.from(before).filter((file) => !now.has(file));
      this.#folders.set(folder, now);
      for (const file of gone) this.#files.delete(file);
      this.addFiles(added);
      return [...added, ...gone];
    });
  }
}

function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? '' : `${stats.mtimeNs} ${stats.size} ${stats.ino}`;
}

function lookAt(file: string): Look {
  const stamp = stampOf(file);
  const isSmall = stamp !== '' && Number(stamp.split(' ')[1]) <= MAX_HASHED;
  try {
    return {
      stamp,
      content: isSmall ? createHash('sha256').update(readFileSync(file)).digest('hex') : stamp,
    };
  } catch {
    return { stamp, content: stamp };
  }
}

function filesIn(folder: string): string[] {
  const found: string[] = [];
  const waiting = [folder];
  for (let path = waiting.pop(); path !== undefined && found.length < MAX_FILES; path = waiting.pop()) {
    for (const entry of entriesOf(path)) {
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) waiting.push(join(path, entry.name));
      else if (found.length < MAX_FILES) found.push(join(path, entry.name));
    }
  }
  return found;
}

function entriesOf(folder: string): { name: string; isDirectory: () => boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
