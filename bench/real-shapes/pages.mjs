import { z } from 'zod';
import { cursor, ID } from './common.mjs';

const pageId = () =>
  z.uuid().describe('ID of the page, with or without dashes as it appears in the address of the page.');

/**
 * Pages and databases of a knowledge base.
 *
 * @type {readonly import('./index.mjs').RealShape[]}
 */
export const PAGES = [
  {
    name: 'notion_search',
    description: 'Search pages and databases that the integration can see, by title.',
    fields: () => ({
      query: z.string().default('').describe('Text to look for in titles; everything if it is empty.'),
      filter: z
        .object({ property: z.literal('object'), value: z.enum(['page', 'database']) })
        .optional()
        .describe('Only pages, or only databases.'),
      sort: z
        .object({ timestamp: z.literal('last_edited_time'), direction: z.enum(['ascending', 'descending']) })
        .optional()
        .describe('Order of the results.'),
      start_cursor: cursor(),
      page_size: z.int().min(1).max(100).default(100).describe('Number of results on a page.'),
    }),
    samples: [{ query: 'roadmap', filter: { property: 'object', value: 'page' }, page_size: 5 }, {}],
  },
  {
    name: 'notion_create_page',
    description:
      'Create a page under another page or as an entry of a database, with properties and content.',
    fields: () => ({
      parent: z
        .discriminatedUnion('type', [
          z.object({ type: z.literal('page_id'), page_id: pageId() }),
          z.object({ type: z.literal('database_id'), database_id: pageId() }),
          z.object({ type: z.literal('workspace'), workspace: z.literal(true) }),
        ])
        .describe('Where the page is created.'),
      properties: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .describe('Values of the properties, by name; "title" is the title of the page.'),
      children: z
        .array(
          z.object({
            type: z.enum(['paragraph', 'heading_1', 'heading_2', 'bulleted_list_item', 'to_do']),
            text: z.string().max(2000).describe('Text of the block.'),
            checked: z.boolean().optional().describe('Whether a to-do is done.'),
          }),
        )
        .max(100)
        .optional()
        .describe('Content of the page, block by block.'),
      icon: z
        .union([z.object({ emoji: z.string().min(1).max(8) }), z.object({ url: z.url() })])
        .nullable()
        .optional()
        .describe('Icon of the page.'),
    }),
    samples: [
      {
        parent: { type: 'page_id', page_id: ID },
        properties: { title: 'Plan', done: false, points: 3 },
        children: [{ type: 'to_do', text: 'Write it', checked: false }],
        icon: { emoji: ':rocket:' },
      },
      { parent: { type: 'workspace', workspace: true }, properties: { title: 'Home' }, icon: null },
    ],
  },
  {
    name: 'notion_query_database',
    description: 'Query the entries of a database with a filter, an order and pages.',
    fields: () => ({
      database_id: z.uuid().describe('ID of the database.'),
      filter: z
        .object({
          property: z.string().min(1).describe('Name of the property.'),
          condition: z.enum([
            'equals',
            'does_not_equal',
            'contains',
            'is_empty',
            'greater_than',
            'less_than',
          ]),
          value: z.union([z.string(), z.number(), z.boolean()]).optional(),
        })
        .optional()
        .describe('Condition that entries must meet.'),
      sorts: z
        .array(
          z.object({
            property: z.string(),
            direction: z.enum(['ascending', 'descending']).default('ascending'),
          }),
        )
        .default([])
        .describe('Order of the entries, the most important first.'),
      page_size: z.int().min(1).max(100).default(50).describe('Number of entries on a page.'),
    }),
    samples: [
      {
        database_id: ID,
        filter: { property: 'Points', condition: 'greater_than', value: 3 },
        sorts: [{ property: 'Name' }],
      },
      { database_id: ID },
    ],
  },
  {
    name: 'notion_append_blocks',
    description: 'Append blocks to the content of a page or of another block.',
    fields: () => ({
      block_id: z.uuid().describe('ID of the page or block.'),
      after: z.uuid().optional().describe('Block after which the new ones are inserted.'),
      children: z
        .array(
          z.discriminatedUnion('type', [
            z.object({ type: z.literal('paragraph'), text: z.string().max(2000) }),
            z.object({
              type: z.literal('code'),
              text: z.string(),
              language: z.string().default('plain text'),
            }),
            z.object({ type: z.literal('image'), url: z.url(), caption: z.string().optional() }),
          ]),
        )
        .min(1)
        .max(100)
        .describe('Blocks to append.'),
    }),
    samples: [
      {
        block_id: ID,
        children: [
          { type: 'paragraph', text: 'Hello' },
          { type: 'code', text: 'x = 1' },
          { type: 'image', url: 'https://example.com/a.png' },
        ],
      },
    ],
  },
];
