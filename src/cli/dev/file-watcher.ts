import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';

/** Time without changes before they are reported: editors save in several steps. */
const QUIET_MS = 100;
/** Polling interval, for changes that the system does not report, such as a folder that was deleted and created again. */
const LOOK_MS = 1000;
/** Maximum number of files watched in a folder. */
const MAX_FILES = 5000;
/** Maximum size of files compared by content; larger files are compared by time and size. */
const MAX_HASHED = 4_194_304;

/** Options of {@link FileWatcher}. */
export interface FileWatcherOptions {
  /** Called with all changed files once no more changes arrive. */
  readonly onChange: (files: readonly string[]) => void;
  readonly onProblem: (message: string) => void;
  readonly clock?: Clock;
}

/** The last known state of a file. */
interface Look {
  /** Time, size and inode; empty if the file does not exist. */
  readonly stamp: string;
  readonly content: string;
}

/**
 * Reports changes of files, by content: saving a file with the same content is not a change. It watches the folders of the files, because
 * many editors replace a file when they save it.
 */
export class FileWatcher {
  readonly #options: FileWatcherOptions;
  readonly #clock: Clock;
  readonly #files = new Map<string, Look>();
  /** The files of each watched folder. */
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

  /** Adds files to the watched ones. */
  addFiles(files: readonly string[]): void {
    if (this.#isClosed) return;
    for (const file of files) {
      if (this.#files.has(file)) continue;
      this.#files.set(file, lookAt(file));
      this.#watch(dirname(file));
    }
  }

  /** Watches a folder recursively, except `node_modules` and hidden files. */
  addFolder(folder: string): void {
    const found = filesIn(folder);
    if (found.length === MAX_FILES)
      this.#options.onProblem(`${folder} has too many files: only the first ${MAX_FILES} are watched.`);
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

  /** Watches a folder. If that fails, changes are found by polling. */
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
      // The folder does not exist, or there are too many watchers.
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
      // A missing file is about to be replaced, or is not used any more.
      if (stamp === '' || stamp === before.stamp) return [];
      // A folder that was created again needs a new watcher.
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
