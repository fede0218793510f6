import { definePrompt, defineResource, defineResourceTemplate } from 'toolwright';
import type { AnyPromptDefinition, AnyResourceDefinition } from 'toolwright';
import type { Note, Notebook } from './notebook.ts';

/** The prompts of a notebook. */
export function createNotePrompts(notebook: Notebook): AnyPromptDefinition[] {
  return [
    definePrompt({
      name: 'summarize_tag',
      title: 'Summarize a tag',
      description: 'Sends all notes with a tag to the model and asks for a summary',
      arguments: [{ name: 'tag', description: 'Tag of the notes', required: true }],
      complete: { tag: (typed) => tagsOf(notebook).filter((tag) => tag.startsWith(typed)) },
      handler: ({ input }) => {
        const { notes } = notebook.search({ tag: input.tag, limit: 100 });
        return [
          ...notes.map((note) => ({
            role: 'user' as const,
            content: {
              type: 'resource' as const,
              resource: { uri: uriOf(note), mimeType: 'text/markdown', text: toMarkdown(note) },
            },
          })),
          {
            role: 'user' as const,
            content: {
              type: 'text' as const,
              text: `Summarize these ${notes.length} notes about ${input.tag}.`,
            },
          },
        ];
      },
    }),
    definePrompt({
      name: 'write_down',
      title: 'Write something down',
      description: 'Asks the model to add a note, unless there is one already',
      arguments: [{ name: 'what', required: true }],
      template: 'Search my notes for a similar note, and add a new note only if there is none: {{what}}',
    }),
  ];
}

/** The notes as resources: one list, and each by its number. */
export function createNoteResources(notebook: Notebook): AnyResourceDefinition[] {
  return [
    defineResource({
      uri: 'notes://all',
      name: 'all notes',
      description: 'The titles of the newest hundred notes',
      mimeType: 'text/markdown',
      contentProvider: () =>
        notebook
          .search({ limit: 100 })
          .notes.map((note) => `- [${note.title}](${uriOf(note)})\n`)
          .join(''),
    }),
    defineResourceTemplate({
      uriTemplate: 'notes://note/{id}',
      name: 'note',
      description: 'One note',
      mimeType: 'text/markdown',
      complete: { id: (typed) => idsOf(notebook).filter((id) => id.startsWith(typed)) },
      contentProvider: ({ variables }) => {
        const note = /^\d{1,9}$/.test(variables.id) ? notebook.find(Number(variables.id)) : undefined;
        return note === undefined ? null : toMarkdown(note);
      },
    }),
  ];
}

const MANY = 100;

function tagsOf(notebook: Notebook): string[] {
  return [...new Set(notebook.search({ limit: MANY }).notes.flatMap(({ tags }) => tags))].toSorted();
}

function idsOf(notebook: Notebook): string[] {
  return notebook.search({ limit: MANY }).notes.map(({ id }) => String(id));
}

function uriOf({ id }: Note): string {
  return `notes://note/${id}`;
}

function toMarkdown({ title, body, tags }: Note): string {
  const labels = tags.length === 0 ? '' : `\n\nTags: ${tags.join(', ')}`;
  return `# ${title}\n\n${body}${labels}\n`;
}
