import { defineTool, success, ToolError, ToolRegistry } from 'toolwright';
import type { AnyToolDefinition } from 'toolwright';
import * as z from 'zod';
import { noteSchema } from './notebook.ts';
import type { Notebook } from './notebook.ts';

const fields = {
  title: z.string().min(1).max(200).describe('One line that says what the note is about'),
  body: z.string().max(100_000).describe('The text of the note, Markdown welcome'),
  tags: z.array(z.string().min(1).max(50)).max(20).describe('Words to find the note by'),
};

const idSchema = z.int().min(1).describe('The number of the note');

/** The tools of a notebook. */
export function createNoteRegistry(notebook: Notebook): ToolRegistry {
  const registry = new ToolRegistry({ name: 'notes', unknownArguments: 'reject', repairArguments: true });
  return registry.registerAll([...readingTools(notebook), ...writingTools(notebook)]);
}

function readingTools(notebook: Notebook): AnyToolDefinition[] {
  return [
    defineTool({
      name: 'search_notes',
      title: 'Search notes',
      description: 'Finds notes by text or tag, newest first. Without either it lists the newest notes.',
      category: 'Reading',
      annotations: { readOnlyHint: true, openWorldHint: false },
      inputSchema: z.object({
        text: z.string().optional().describe('Must occur in the title or the body; case does not matter'),
        tag: z.string().optional(),
        limit: z.int().min(1).max(100).default(20),
      }),
      outputSchema: z.object({
        notes: z.array(noteSchema.omit({ body: true })),
        total: z.int().describe('How many notes fit; more than are shown when the limit cut them off'),
      }),
      handler: ({ input }) => notebook.search(input),
    }),
    defineTool({
      name: 'read_note',
      title: 'Read a note',
      description: 'Returns one note with its whole text.',
      category: 'Reading',
      annotations: { readOnlyHint: true, openWorldHint: false },
      inputSchema: z.object({ id: idSchema }),
      outputSchema: noteSchema,
      handler: ({ input }) => notebook.find(input.id) ?? refuse(input.id),
    }),
  ];
}

function writingTools(notebook: Notebook): AnyToolDefinition[] {
  return [
    defineTool({
      name: 'add_note',
      title: 'Add a note',
      description: 'Writes a new note.',
      category: 'Writing',
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
      inputSchema: z.object({
        title: fields.title,
        body: fields.body.default(''),
        tags: fields.tags.default([]),
      }),
      outputSchema: noteSchema,
      handler: async ({ input }) => {
        const note = await notebook.add(input);
        return success(note, { text: `Added note ${note.id}: ${note.title}` });
      },
    }),
    defineTool({
      name: 'update_note',
      title: 'Change a note',
      description: 'Replaces the title, the body or the tags of a note; omitted fields do not change.',
      category: 'Writing',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      inputSchema: z.object({
        id: idSchema,
        title: fields.title.optional(),
        body: fields.body.optional(),
        tags: fields.tags.optional(),
      }),
      outputSchema: noteSchema,
      handler: async ({ input: { id, ...changes } }) => (await notebook.update(id, changes)) ?? refuse(id),
    }),
    defineTool({
      name: 'delete_note',
      title: 'Delete a note',
      description: 'Deletes a note permanently.',
      category: 'Writing',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      inputSchema: z.object({ id: idSchema }),
      handler: async ({ input }) =>
        (await notebook.delete(input.id)) ? `Deleted note ${input.id}.` : refuse(input.id),
    }),
  ];
}

function refuse(id: number): never {
  throw new ToolError(`There is no note ${id}.`, {
    suggestions: ['Call search_notes to see which notes there are.'],
  });
}
