import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';

/** One note. */
export const noteSchema = z.object({
  id: z.int(),
  title: z.string(),
  body: z.string(),
  tags: z.array(z.string()),
  updatedAt: z.string(),
});
export type Note = z.infer<typeof noteSchema>;

/** Content of the file. */
const notebookSchema = z.object({ notes: z.array(noteSchema) });

/** Fields of a new or changed note. */
export interface NoteFields {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly tags?: string[] | undefined;
}

/** Filters of a search. */
export interface NoteQuery {
  readonly text?: string | undefined;
  readonly tag?: string | undefined;
  readonly limit: number;
}

/** A notebook in one JSON file. It is independent of MCP. */
export class Notebook {
  readonly #file: string;
  readonly #now: () => Date;
  #notes: readonly Note[];
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string, notes: readonly Note[], now: () => Date) {
    this.#file = file;
    this.#notes = notes;
    this.#now = now;
  }

  /** Opens a notebook; a missing file is an empty notebook. */
  static async open(file: string, now: () => Date = () => new Date()): Promise<Notebook> {
    return new Notebook(file, await readNotes(file), now);
  }

  find(id: number): Note | undefined {
    return this.#notes.find((note) => note.id === id);
  }

  /** The newest matching notes, and the number of all matches. */
  search({ text, tag, limit }: NoteQuery): { notes: Note[]; total: number } {
    const wanted = text?.toLowerCase();
    const found = this.#notes.filter((note) => {
      if (tag !== undefined && !note.tags.includes(tag)) return false;
      return wanted === undefined || `${note.title}\n${note.body}`.toLowerCase().includes(wanted);
    });
    const newestFirst = found.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt) || b.id - a.id);
    return { notes: newestFirst.slice(0, limit), total: found.length };
  }

  add(fields: { readonly title: string } & NoteFields): Promise<Note> {
    return this.#change((notes) => {
      const id = Math.max(0, ...notes.map((note) => note.id)) + 1;
      const updatedAt = this.#now().toISOString();
      const note = { id, body: '', tags: [], ...withoutGaps(fields), title: fields.title, updatedAt };
      return { notes: [...notes, note], result: note };
    });
  }

  /** The changed note; undefined if the id is unknown. */
  update(id: number, fields: NoteFields): Promise<Note | undefined> {
    return this.#change((notes) => {
      const before = notes.find((note) => note.id === id);
      if (before === undefined) return { notes, result: undefined };
      const note = { ...before, ...withoutGaps(fields), updatedAt: this.#now().toISOString() };
      return { notes: notes.map((other) => (other.id === id ? note : other)), result: note };
    });
  }

  /** Whether the note existed. */
  delete(id: number): Promise<boolean> {
    return this.#change((notes) => {
      const kept = notes.filter((note) => note.id !== id);
      return kept.length === notes.length ? { notes, result: false } : { notes: kept, result: true };
    });
  }

  /** Changes run one after the other, and take effect only once they are on disk: a failed write changes nothing. */
  #change<TResult>(
    change: (notes: readonly Note[]) => { notes: readonly Note[]; result: TResult },
  ): Promise<TResult> {
    const done = this.#writing.then(async () => {
      const { notes, result } = change(this.#notes);
      if (notes !== this.#notes) await writeNotes(this.#file, notes);
      this.#notes = notes;
      return result;
    });
    this.#writing = done.then(
      () => {},
      () => {},
    );
    return done;
  }
}

function withoutGaps(fields: NoteFields): Partial<Note> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function readNotes(file: string): Promise<readonly Note[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Error(
      `The notebook ${file} cannot be read: ${(cause as Error).message}. Name another file with NOTES_FILE.`,
      { cause },
    );
  }
  try {
    return notebookSchema.parse(JSON.parse(text)).notes;
  } catch (cause) {
    throw new Error(`${file} is not a notebook. Move it away, or name another file with NOTES_FILE.`, {
      cause,
    });
  }
}

/** Written to a temporary file and then renamed, so that a crash leaves either the old or the new notebook. */
async function writeNotes(file: string, notes: readonly Note[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify({ notes }, undefined, 2));
  await rename(`${file}.new`, file);
}
