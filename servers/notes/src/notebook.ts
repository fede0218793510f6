import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** One note. */
export interface Note {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly tags: string[];
  readonly updatedAt: string;
}

/** What a note is made or changed with. */
export interface NoteFields {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly tags?: string[] | undefined;
}

/** Which notes are wanted. */
export interface NoteQuery {
  readonly text?: string | undefined;
  readonly tag?: string | undefined;
  readonly limit: number;
}

/** A notebook in one JSON file. It knows nothing of MCP. */
export class Notebook {
  readonly #file: string;
  readonly #now: () => Date;
  #notes: readonly Note[];
  /** Writes follow one another: two at once could lose the newer one. */
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string, notes: readonly Note[], now: () => Date) {
    this.#file = file;
    this.#notes = notes;
    this.#now = now;
  }

  /** Opens a notebook; a file that does not exist yet is an empty one. */
  static async open(file: string, now: () => Date = () => new Date()): Promise<Notebook> {
    return new Notebook(file, await readNotes(file), now);
  }

  find(id: number): Note | undefined {
    return this.#notes.find((note) => note.id === id);
  }

  /** The newest notes that fit, and how many fit in all. */
  search({ text, tag, limit }: NoteQuery): { notes: Note[]; total: number } {
    const wanted = text?.toLowerCase();
    const found = this.#notes.filter((note) => {
      if (tag !== undefined && !note.tags.includes(tag)) return false;
      return wanted === undefined || `${note.title}\n${note.body}`.toLowerCase().includes(wanted);
    });
    const newestFirst = found.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt) || b.id - a.id);
    return { notes: newestFirst.slice(0, limit), total: found.length };
  }

  async add(fields: { readonly title: string } & NoteFields): Promise<Note> {
    const id = Math.max(0, ...this.#notes.map((note) => note.id)) + 1;
    const note = {
      id,
      body: '',
      tags: [],
      ...withoutGaps(fields),
      title: fields.title,
      updatedAt: this.#now().toISOString(),
    };
    await this.#save([...this.#notes, note]);
    return note;
  }

  /** The changed note; undefined when there is none of this id. */
  async update(id: number, fields: NoteFields): Promise<Note | undefined> {
    const before = this.find(id);
    if (before === undefined) return undefined;
    const note = { ...before, ...withoutGaps(fields), updatedAt: this.#now().toISOString() };
    await this.#save(this.#notes.map((other) => (other.id === id ? note : other)));
    return note;
  }

  /** Whether there was a note to delete. */
  async delete(id: number): Promise<boolean> {
    if (this.find(id) === undefined) return false;
    await this.#save(this.#notes.filter((note) => note.id !== id));
    return true;
  }

  #save(notes: readonly Note[]): Promise<void> {
    this.#notes = notes;
    const save = this.#writing.then(() => writeNotes(this.#file, notes));
    // A failed write is told to its own caller; the next one starts afresh.
    this.#writing = save.catch(() => {});
    return save;
  }
}

function withoutGaps(fields: NoteFields): Partial<Note> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function readNotes(file: string): Promise<readonly Note[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  try {
    const { notes } = JSON.parse(text) as { notes: readonly Note[] };
    if (!Array.isArray(notes)) throw new Error('it has no list of notes');
    return notes;
  } catch (cause) {
    throw new Error(`${file} is no notebook. Move it away, or name another file with NOTES_FILE.`, { cause });
  }
}

/** Written beside the file and then renamed, so that a crash leaves either the old or the new notebook. */
async function writeNotes(file: string, notes: readonly Note[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify({ notes }, undefined, 2));
  await rename(`${file}.new`, file);
}
