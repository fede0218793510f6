import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import type {
  Activity,
  ActivityFilter,
  ActivityStreams,
  Athlete,
  Provider,
  ProviderFeature,
  SleepNight,
} from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { toActivity, toStreams } from './derive.ts';
import { listFiles, readFound, reasonOf } from './list-files.ts';
import type { FileProblem, FoundFile } from './list-files.ts';
import { readRecordings } from './read-recordings.ts';
import { watchFolder } from './watch-folder.ts';
import type { WatchFolder } from './watch-folder.ts';

export interface FilesOptions {
  /** The value of `FITNESS_FILES`. */
  readonly folder: string;
  /** Whether the files are of this user; others have no activities. */
  readonly isOwner: (user: string) => boolean;
  /** Default: notifications of the file system. */
  readonly watch?: WatchFolder;
}

/** The activities of one version of a file. */
interface ReadFile {
  readonly file: FoundFile;
  readonly activities: readonly Activity[];
  readonly problem: string | undefined;
}

interface Place {
  readonly file: FoundFile;
  /** Position in the file. */
  readonly index: number;
  readonly activity: Activity;
}

/** Files have neither sleep nor variability, no weather, and no athlete. */
const FEATURES: readonly ProviderFeature[] = ['activities', 'streams', 'place'];

/** GPX, TCX and FIT files of a folder, read at the start and after changes. */
export class FilesProvider implements Provider, Disposable {
  readonly name = 'files';
  readonly features: ReadonlySet<ProviderFeature> = new Set(FEATURES);
  readonly #root: string;
  readonly #isOwner: FilesOptions['isOwner'];
  /** By name. */
  #files: ReadonlyMap<string, ReadFile> = new Map();
  #places: ReadonlyMap<string, Place> = new Map();
  #problems: readonly FileProblem[] = [];
  /** Number of reported changes; files are read again before the next request. */
  #changes = 0;
  #readAt = -1;
  #isWatching = true;
  #reading: Promise<void> | undefined;
  #watcher: Disposable | undefined;
  #isDisposed = false;

  /** Begins to read all files, which can take minutes; requests wait for the end. Rejects if there is no such folder. */
  static async open(options: FilesOptions): Promise<FilesProvider> {
    const provider = new FilesProvider(await findFolder(options.folder), options);
    void provider.#refresh();
    return provider;
  }

  private constructor(root: string, { isOwner, watch = watchFolder }: FilesOptions) {
    this.#root = root;
    this.#isOwner = isOwner;
    const onLost = (): void => {
      this.#isWatching = false;
    };
    try {
      this.#watcher = watch(root, { onLost, onChange: () => (this.#changes += 1) });
    } catch {
      // Without notifications, the folder is listed for each request.
      onLost();
    }
  }

  /** Files that could not be read, with the reason. */
  async listProblems(): Promise<readonly FileProblem[]> {
    await this.#refresh();
    return this.#problems;
  }

  async isConnected(user: string): Promise<boolean> {
    return this.#isOwner(user);
  }

  async listActivities(user: string, filter: ActivityFilter = {}): Promise<readonly Activity[]> {
    if (!this.#isOwner(user)) return [];
    await this.#refresh();
    const { after = -Infinity, before = Infinity, sport_type } = filter;
    return [...this.#places.values()]
      .map(({ activity }) => activity)
      .filter(
        ({ start_time, sport_type: sport }) =>
          start_time >= after && start_time < before && (sport_type ?? sport) === sport,
      )
      .sort((one, other) => other.start_time - one.start_time || (one.id < other.id ? -1 : 1));
  }

  async findActivity(user: string, id: string): Promise<Activity | undefined> {
    if (!this.#isOwner(user)) return undefined;
    await this.#refresh();
    return this.#places.get(id)?.activity;
  }

  async findStreams(user: string, id: string): Promise<ActivityStreams | undefined> {
    if (!this.#isOwner(user)) return undefined;
    await this.#refresh();
    const place = this.#places.get(id);
    if (place === undefined) return undefined;
    // Samples are not kept in memory: a folder of many years would fill it.
    const content = await readFound(place.file).catch(() => undefined);
    if (content === undefined || toId(content, place.index) !== id) return undefined;
    const recording = (await readRecordings(place.file.name, content))[place.index];
    return recording && toStreams(recording);
  }

  async findAthlete(): Promise<Athlete | undefined> {
    return undefined;
  }

  async listSleep(): Promise<readonly SleepNight[]> {
    return [];
  }

  /** Ends the reading, too. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#watcher?.[Symbol.dispose]();
    this.#watcher = undefined;
    this.#isWatching = false;
  }

  /** Reads all changes that were reported before this call. */
  async #refresh(): Promise<void> {
    if (!this.#isWatching) this.#changes += 1;
    const wanted = this.#changes;
    while (this.#readAt < wanted) {
      this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
      await this.#reading;
    }
  }

  async #readAll(): Promise<void> {
    const changes = this.#changes;
    const problems: FileProblem[] = [];
    const found = await listFiles(this.#root, problems).catch((error: unknown) => {
      problems.push({ file: '.', reason: reasonOf(error) });
      return [];
    });
    const files = new Map<string, ReadFile>();
    for (const file of found) {
      if (this.#isDisposed) {
        this.#readAt = changes;
        return;
      }
      const known = this.#files.get(file.name);
      files.set(file.name, known?.file.stamp === file.stamp ? known : await readOne(file));
    }
    const places = new Map<string, Place>();
    for (const { file, activities, problem } of files.values()) {
      if (problem !== undefined) problems.push({ file: file.name, reason: problem });
      for (const [index, activity] of activities.entries()) {
        // Copies of a file are one activity.
        if (!places.has(activity.id)) places.set(activity.id, { file, index, activity });
      }
    }
    this.#files = files;
    this.#places = places;
    this.#problems = problems;
    this.#readAt = changes;
  }
}

async function readOne(file: FoundFile): Promise<ReadFile> {
  try {
    const content = await readFound(file);
    const recordings = await readRecordings(file.name, content);
    const activities = recordings.map((recording, index) => toActivity(toId(content, index), recording));
    return { file, activities, problem: undefined };
  } catch (error) {
    return { file, activities: [], problem: reasonOf(error) };
  }
}

/** The same for the same content, wherever the file is. */
function toId(content: Buffer, index: number): string {
  return `file-${createHash('sha256').update(content).digest('hex').slice(0, 16)}-${index + 1}`;
}

async function findFolder(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => undefined);
  const isFolder = real !== undefined && (await stat(real)).isDirectory();
  if (isFolder) return real;
  throw new ProviderError(
    'files',
    `FITNESS_FILES is not a folder: "${folder}". Set it to the folder of your GPX, TCX and FIT files.`,
    {
      failure: 'not-configured',
    },
  );
}
