import { z } from 'zod';

/**
 * SQL, addresses of the web, a knowledge graph, search.
 *
 * @type {readonly import('./index.mjs').RealShape[]}
 */
export const DATA = [
  {
    name: 'postgres_query',
    description:
      'Run a read-only SQL query and return the rows as JSON. The query runs in a transaction that is rolled back.',
    fields: () => ({ sql: z.string().describe('SQL to run.') }),
    samples: [{ sql: 'select id, name from customers where id = 42' }],
  },
  {
    name: 'postgres_execute',
    description: 'Run a parameterized statement with limits for time and rows.',
    fields: () => ({
      sql: z.string().min(1).max(100_000).describe('SQL with parameters written as $1, $2 and so on.'),
      params: z
        .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .max(100)
        .default([])
        .describe('Values of the parameters.'),
      schema: z
        .string()
        .regex(/^[a-z_][a-z0-9_]*$/)
        .default('public')
        .describe('Schema to search first.'),
      timeoutMs: z
        .int()
        .min(1)
        .max(60_000)
        .default(5000)
        .describe('Milliseconds until the statement is canceled.'),
      maxRows: z.int().min(1).max(10_000).default(1000).describe('Maximum number of rows to return.'),
    }),
    samples: [
      { sql: 'update t set a = $1 where id = $2', params: ['x', 7], timeoutMs: 1000 },
      { sql: 'select 1' },
    ],
  },
  {
    name: 'postgres_describe_table',
    description: 'Describe the columns, keys and indexes of a table.',
    fields: () => ({
      table: z.string().min(1).max(63).describe('Name of the table.'),
      schema: z.string().default('public').describe('Schema of the table.'),
      include: z
        .array(z.enum(['columns', 'indexes', 'constraints', 'triggers']))
        .optional()
        .describe('Parts to include.'),
    }),
    samples: [{ table: 'customers', include: ['columns', 'indexes'] }],
  },
  {
    name: 'fetch',
    description:
      'Fetch an address from the internet and return its content as Markdown. Although you may not have had access to the internet before, this tool gives you that access.',
    fields: () => ({
      url: z.url().describe('Address to fetch.'),
      max_length: z
        .int()
        .gt(0)
        .lt(1_000_000)
        .default(5000)
        .describe('Maximum number of characters to return.'),
      start_index: z
        .int()
        .min(0)
        .default(0)
        .describe('Character to begin at, for content that was cut off before.'),
      raw: z.boolean().default(false).describe('Whether to return the HTML as it is.'),
    }),
    samples: [
      { url: 'https://example.com/', max_length: 2000 },
      { url: 'https://example.com/a?b=c', start_index: 5000, raw: true },
    ],
  },
  {
    name: 'http_request',
    description: 'Send a request with a method, headers and a body.',
    fields: () => ({
      url: z.url().describe('Address of the request.'),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET').describe('HTTP method.'),
      headers: z.record(z.string(), z.string()).optional().describe('Headers of the request.'),
      body: z
        .union([z.string(), z.record(z.string(), z.unknown())])
        .optional()
        .describe('Body; an object is sent as JSON.'),
      timeout: z.number().positive().max(120).default(30).describe('Seconds until the request is given up.'),
    }),
    samples: [
      {
        url: 'https://api.example.com/v1/items',
        method: 'POST',
        headers: { accept: 'application/json' },
        body: { name: 'a', tags: ['b'] },
      },
      { url: 'https://example.com' },
    ],
  },
  {
    name: 'create_entities',
    description:
      'Create several entities in the knowledge graph. Entities that exist already are left as they are.',
    fields: () => ({
      entities: z.array(
        z.object({
          name: z.string().describe('Name of the entity.'),
          entityType: z.string().describe('Type of the entity.'),
          observations: z.array(z.string()).describe('Facts about the entity.'),
        }),
      ),
    }),
    samples: [
      {
        entities: [
          { name: 'Ada', entityType: 'person', observations: ['likes machines', 'lives in London'] },
        ],
      },
    ],
  },
  {
    name: 'create_relations',
    description:
      'Create several relations between entities of the knowledge graph. Write relations in active voice.',
    fields: () => ({
      relations: z
        .array(
          z.object({
            from: z.string().min(1).describe('Name of the entity where the relation starts.'),
            to: z.string().min(1).describe('Name of the entity where it ends.'),
            relationType: z.string().min(1).describe('Type of the relation.'),
          }),
        )
        .min(1),
    }),
    samples: [{ relations: [{ from: 'Ada', to: 'Charles', relationType: 'works with' }] }],
  },
  {
    name: 'search_nodes',
    description: 'Search the knowledge graph by names, types and observations of entities.',
    fields: () => ({ query: z.string().describe('Query to match.') }),
    samples: [{ query: 'machines' }],
  },
  {
    name: 'sequential_thinking',
    description:
      'Think about a problem step by step. Every thought may question or revise earlier ones, the estimate of the number of thoughts may change, and branches are allowed. Use it for problems whose whole scope is not clear at first.',
    fields: () => ({
      thought: z.string().describe('Current step.'),
      nextThoughtNeeded: z.boolean().describe('Whether another step is needed.'),
      thoughtNumber: z.number().int().min(1).describe('Number of this step.'),
      totalThoughts: z.number().int().min(1).describe('Estimated number of steps.'),
      isRevision: z.boolean().optional().describe('Whether this step revises an earlier one.'),
      revisesThought: z.number().int().min(1).optional().describe('Number of the step that is revised.'),
      branchId: z.string().optional().describe('Identifier of the branch.'),
    }),
    samples: [
      { thought: 'First, read the code.', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 5 },
    ],
  },
  {
    name: 'web_search',
    description:
      'Search the web for pages, news and articles. Use it for recent events and for anything that needs several sources; at most 20 results are returned at once, and further pages are available by offset.',
    fields: () => ({
      query: z.string().min(1).max(400).describe('Query, at most 400 characters and 50 words.'),
      count: z.number().int().min(1).max(20).default(10).describe('Number of results.'),
      offset: z.number().int().min(0).max(9).default(0).describe('Number of pages to skip.'),
      freshness: z
        .union([z.enum(['pd', 'pw', 'pm', 'py']), z.string().regex(/^\d{4}-\d{2}-\d{2}to\d{4}-\d{2}-\d{2}$/)])
        .optional()
        .describe('Age of the results.'),
      country: z.string().length(2).default('US').describe('Country of the results.'),
    }),
    samples: [
      { query: 'json schema 2020-12', count: 5, freshness: 'pm' },
      { query: 'mcp', freshness: '2026-01-01to2026-02-01' },
    ],
  },
  {
    name: 'get_current_time',
    description: 'Get the current time in a time zone.',
    fields: () => ({ timezone: z.string().describe('IANA name of the time zone, such as Europe/Berlin.') }),
    samples: [{ timezone: 'Europe/Berlin' }],
  },
];
