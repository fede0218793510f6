import { z } from 'zod';

/**
 * Argument shapes like those of popular public MCP servers (source hosting, files, browsers, chat, pages and databases, SQL, fetch, a
 * knowledge graph, payments, issue tracking, search), in our own words: the checks, defaults, unions, formats and long descriptions that
 * the plain tools of the benchmark lack.
 *
 * @typedef {object} RealShape
 * @property {string} name
 * @property {string} description
 * @property {() => Record<string, import('zod').ZodType>} fields Made anew for every tool, as different tools do not share schemas.
 * @property {readonly Readonly<Record<string, unknown>>[]} samples Valid arguments of calls.
 */

const owner = () =>
  z
    .string()
    .min(1)
    .max(39)
    .describe('Account that owns the repository: a user or an organization, without the leading @.');
const repo = () =>
  z.string().min(1).max(100).describe('Name of the repository, without the owner and without ".git".');
const page = () => z.int().min(1).optional().describe('Page of the results to return, starting at 1.');
const perPage = () =>
  z.int().min(1).max(100).default(30).describe('Number of results on a page; the maximum is 100.');
const path = () =>
  z
    .string()
    .min(1)
    .describe(
      'Absolute path, or a path relative to the first allowed directory. Paths outside of the allowed directories are rejected.',
    );
const element = () =>
  z
    .string()
    .describe(
      'Description of the element in words that a person understands; it is shown when permission is requested.',
    );
const elementRef = () =>
  z
    .string()
    .regex(/^(?:f\d+)?e\d+$/)
    .describe('Exact reference of the target element, taken from the latest snapshot of the page.');
const channel = () =>
  z
    .string()
    .regex(/^[CDG][A-Z0-9]{8,}$/)
    .describe('ID of the channel or conversation, such as C012AB3CD45.');
const cursor = () =>
  z.string().optional().describe('Cursor that the previous page returned; leave it out for the first page.');
const pageId = () =>
  z.uuid().describe('ID of the page, with or without dashes as it appears in the address of the page.');
const amount = () =>
  z
    .int()
    .min(1)
    .max(99_999_999)
    .describe(
      'Amount in the smallest unit of the currency, such as cents. Zero-decimal currencies use the amount as it is.',
    );
const currency = () =>
  z
    .string()
    .regex(/^[a-z]{3}$/)
    .default('usd')
    .describe('Three-letter ISO 4217 code in lower case.');
const customer = () =>
  z
    .string()
    .regex(/^cus_[A-Za-z0-9]+$/)
    .describe('ID of the customer, which begins with cus_.');
const priority = () =>
  z
    .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)])
    .optional()
    .describe('0 is no priority, 1 urgent, 2 high, 3 medium, 4 low.');
const metadata = () =>
  z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Set of up to 50 key-value pairs to attach to the object, for your own structured information.',
    );

const ID = '8f14e45f-ceea-467f-a0e6-7a1d2c3b4f56';
const at = { owner: 'octo-org', repo: 'hello-world' };

/** @type {readonly RealShape[]} */
export const REAL_SHAPES = [
  {
    name: 'create_issue',
    description:
      'Create a new issue in a repository. Search for an existing issue with the same subject before you create another one.',
    fields: () => ({
      owner: owner(),
      repo: repo(),
      title: z.string().min(1).max(256).describe('Title of the issue.'),
      body: z.string().max(65_536).optional().describe('Body of the issue, in GitHub Flavored Markdown.'),
      assignees: z.array(z.string().min(1)).max(10).optional().describe('Logins of the users to assign.'),
      labels: z
        .array(z.string().min(1).max(50))
        .optional()
        .describe('Labels to add; unknown labels are created.'),
      milestone: z.int().min(1).nullable().optional().describe('Number of the milestone, or null for none.'),
    }),
    samples: [
      {
        ...at,
        title: 'Crash on start',
        body: 'It crashes.\n\n1. Start it',
        labels: ['bug', 'p1'],
        milestone: 4,
      },
      { ...at, title: 'Typo in the readme', milestone: null },
    ],
  },
  {
    name: 'list_issues',
    description: 'List the issues of a repository with filters and pages. Pull requests are not included.',
    fields: () => ({
      owner: owner(),
      repo: repo(),
      state: z.enum(['open', 'closed', 'all']).default('open').describe('State of the issues to return.'),
      labels: z.array(z.string()).optional().describe('Only issues that have all of these labels.'),
      sort: z.enum(['created', 'updated', 'comments']).optional().describe('Order of the results.'),
      direction: z.enum(['asc', 'desc']).optional().describe('Direction of the order.'),
      since: z.iso
        .datetime()
        .optional()
        .describe('Only issues that were updated after this time, as ISO 8601 in UTC.'),
      page: page(),
      perPage: perPage(),
    }),
    samples: [
      { ...at, labels: ['bug'], since: '2026-03-01T08:30:00Z', perPage: 50 },
      { ...at, state: 'all', sort: 'updated', direction: 'desc', page: 2 },
    ],
  },
  {
    name: 'get_issue',
    description: 'Get one issue of a repository with its labels, assignees and the number of its comments.',
    fields: () => ({
      owner: owner(),
      repo: repo(),
      issue_number: z.int().min(1).describe('Number of the issue.'),
    }),
    samples: [{ ...at, issue_number: 42 }],
  },
  {
    name: 'create_pull_request',
    description: 'Open a pull request from a branch that is already pushed. The head may be in a fork.',
    fields: () => ({
      owner: owner(),
      repo: repo(),
      title: z.string().min(1).describe('Title of the pull request.'),
      head: z.string().min(1).describe('Branch that has the changes; for a fork, written as owner:branch.'),
      base: z.string().min(1).default('main').describe('Branch to merge the changes into.'),
      body: z.string().optional().describe('Description of the pull request, in Markdown.'),
      draft: z.boolean().default(false).describe('Whether to open it as a draft.'),
      maintainer_can_modify: z
        .boolean()
        .optional()
        .describe('Whether maintainers of the base may push to the head.'),
    }),
    samples: [
      { ...at, title: 'Fix the crash', head: 'fix/crash', body: 'Closes #42', draft: true },
      { ...at, title: 'Docs', head: 'docs', base: 'next' },
    ],
  },
  {
    name: 'push_files',
    description:
      'Push several files to a branch in one commit. Every file is given with its whole content; files that are not named stay as they are.',
    fields: () => ({
      owner: owner(),
      repo: repo(),
      branch: z.string().min(1).describe('Branch to push to, such as main.'),
      message: z.string().min(1).describe('Message of the commit.'),
      files: z
        .array(
          z.object({
            path: z.string().min(1).describe('Path in the repository.'),
            content: z.string().describe('Content of the file.'),
            mode: z.enum(['100644', '100755']).default('100644').describe('File mode.'),
          }),
        )
        .min(1)
        .max(100)
        .describe('Files to write.'),
    }),
    samples: [
      {
        ...at,
        branch: 'main',
        message: 'Add two files',
        files: [
          { path: 'a.md', content: '# A' },
          { path: 'b.sh', content: 'exit 0', mode: '100755' },
        ],
      },
    ],
  },
  {
    name: 'create_review',
    description:
      'Review a pull request: approve it, request changes or comment, with comments on single lines if needed.',
    fields: () => ({
      owner: owner(),
      repo: repo(),
      pull_number: z.int().min(1).describe('Number of the pull request.'),
      event: z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']).describe('What the review says.'),
      body: z.string().optional().describe('Text of the review; required unless it approves.'),
      commit_id: z
        .string()
        .regex(/^[0-9a-f]{40}$/)
        .optional()
        .describe('SHA of the commit that was reviewed.'),
      comments: z
        .array(
          z.object({
            path: z.string().min(1).describe('File that the comment is about.'),
            line: z.int().min(1).describe('Line in the file.'),
            side: z.enum(['LEFT', 'RIGHT']).default('RIGHT').describe('Side of the diff.'),
            body: z.string().min(1).describe('Text of the comment.'),
          }),
        )
        .max(60)
        .optional()
        .describe('Comments on lines of the diff.'),
    }),
    samples: [
      {
        ...at,
        pull_number: 7,
        event: 'REQUEST_CHANGES',
        body: 'Please add a test.',
        comments: [{ path: 'src/a.ts', line: 12, body: 'Why?' }],
      },
      { ...at, pull_number: 8, event: 'APPROVE' },
    ],
  },
  {
    name: 'search_code',
    description:
      'Search the code of all repositories with the qualifiers of the search syntax (repo:, language:, path:, symbol:).',
    fields: () => ({
      q: z.string().min(1).max(256).describe('Query, with qualifiers if needed.'),
      sort: z.literal('indexed').optional().describe('Order by the time of indexing; best match without it.'),
      order: z.enum(['asc', 'desc']).default('desc').describe('Direction of the order.'),
      page: page(),
      per_page: perPage(),
    }),
    samples: [
      { q: 'repo:octo-org/hello-world readFile', per_page: 10 },
      { q: 'language:ts zod', sort: 'indexed', page: 3 },
    ],
  },
  {
    name: 'get_file_contents',
    description: 'Get the content of a file, or the entries of a directory, at a branch, tag or commit.',
    fields: () => ({
      owner: owner(),
      repo: repo(),
      path: z.string().default('/').describe('Path of the file or directory.'),
      ref: z.string().optional().describe('Branch, tag or commit; the default branch if it is left out.'),
    }),
    samples: [{ ...at, path: 'src/index.ts', ref: 'v1.2.0' }, { ...at }],
  },
  {
    name: 'merge_pull_request',
    description: 'Merge a pull request whose checks have passed.',
    fields: () => ({
      owner: owner(),
      repo: repo(),
      pullNumber: z.int().min(1).describe('Number of the pull request.'),
      merge_method: z.enum(['merge', 'squash', 'rebase']).default('merge').describe('How to merge.'),
      commit_title: z.string().optional().describe('Title of the merge commit.'),
      sha: z
        .string()
        .length(40)
        .optional()
        .describe('SHA that the head must have, so that nothing unseen is merged.'),
    }),
    samples: [{ ...at, pullNumber: 9, merge_method: 'squash' }],
  },
  {
    name: 'trigger_workflow',
    description: 'Run a workflow that has a workflow_dispatch trigger.',
    fields: () => ({
      owner: owner(),
      repo: repo(),
      workflow_id: z
        .union([z.int(), z.string().min(1)])
        .describe('ID of the workflow, or the name of its file.'),
      ref: z.string().min(1).describe('Branch or tag to run it on.'),
      inputs: z.record(z.string(), z.string()).default({}).describe('Inputs that the workflow declares.'),
    }),
    samples: [
      { ...at, workflow_id: 'ci.yml', ref: 'main', inputs: { level: 'debug' } },
      { ...at, workflow_id: 4711, ref: 'v1' },
    ],
  },
  {
    name: 'read_text_file',
    description:
      'Read a file as text, in whole or only its first or last lines. Works for any encoding that can be detected; binary files are rejected.',
    fields: () => ({
      path: path(),
      head: z.number().int().positive().optional().describe('Return only the first lines, this many.'),
      tail: z.number().int().positive().optional().describe('Return only the last lines, this many.'),
    }),
    samples: [{ path: '/srv/notes.txt', head: 20 }, { path: '/srv/notes.txt' }],
  },
  {
    name: 'read_multiple_files',
    description:
      'Read several files at once. A file that cannot be read does not keep the others from being returned.',
    fields: () => ({ paths: z.array(z.string()).min(1).describe('Paths of the files to read.') }),
    samples: [{ paths: ['/srv/a.txt', '/srv/b.txt'] }],
  },
  {
    name: 'write_file',
    description:
      'Create a file or overwrite it completely with new content. Use it with care: there is no warning before a file is overwritten.',
    fields: () => ({
      path: z.string().describe('Path of the file.'),
      content: z.string().describe('Whole content of the file.'),
    }),
    samples: [{ path: '/srv/a.txt', content: 'one\ntwo\n' }],
  },
  {
    name: 'edit_file',
    description:
      'Replace lines of a text file. Every edit replaces an exact sequence of lines; the result is a diff in the format of git.',
    fields: () => ({
      path: path(),
      edits: z
        .array(
          z.object({
            oldText: z.string().describe('Text to find; it must match exactly.'),
            newText: z.string().describe('Text to put in its place.'),
          }),
        )
        .describe('Edits, applied one after the other.'),
      dryRun: z.boolean().default(false).describe('Only show the diff, change nothing.'),
    }),
    samples: [{ path: '/srv/a.txt', edits: [{ oldText: 'one', newText: '1' }], dryRun: true }],
  },
  {
    name: 'list_directory',
    description: 'List the files and directories in a directory, each with a prefix that tells which it is.',
    fields: () => ({ path: z.string().describe('Path of the directory.') }),
    samples: [{ path: '/srv' }],
  },
  {
    name: 'list_directory_with_sizes',
    description: 'List the files and directories in a directory with their sizes and a sum at the end.',
    fields: () => ({
      path: path(),
      sortBy: z.enum(['name', 'size']).optional().default('name').describe('Order of the entries.'),
    }),
    samples: [{ path: '/srv', sortBy: 'size' }, { path: '/srv' }],
  },
  {
    name: 'search_files',
    description:
      'Search for files and directories whose path matches a glob pattern, in a directory and everything below it.',
    fields: () => ({
      path: path(),
      pattern: z.string().min(1).describe('Glob pattern, such as **/*.ts.'),
      excludePatterns: z
        .array(z.string())
        .optional()
        .default([])
        .describe('Glob patterns of what to leave out.'),
    }),
    samples: [
      { path: '/srv', pattern: '**/*.ts', excludePatterns: ['node_modules/**'] },
      { path: '/srv', pattern: '*.md' },
    ],
  },
  {
    name: 'browser_navigate',
    description: 'Navigate the current tab to an address and wait until the page has loaded.',
    fields: () => ({ url: z.url().describe('Address to navigate to.') }),
    samples: [{ url: 'https://example.com/docs?page=2' }],
  },
  {
    name: 'browser_click',
    description: 'Click an element of the page, with a modifier or another button if needed.',
    fields: () => ({
      element: element(),
      ref: elementRef(),
      doubleClick: z.boolean().optional().describe('Whether to click twice.'),
      button: z
        .enum(['left', 'right', 'middle'])
        .optional()
        .describe('Button to click; the left one by default.'),
      modifiers: z
        .array(z.enum(['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift']))
        .optional()
        .describe('Keys that are held down.'),
    }),
    samples: [
      { element: 'Submit button', ref: 'e42', modifiers: ['Shift'] },
      { element: 'Menu', ref: 'f1e7', button: 'right' },
    ],
  },
  {
    name: 'browser_type',
    description: 'Type text into an element that can be edited.',
    fields: () => ({
      element: element(),
      ref: elementRef(),
      text: z.string().describe('Text to type.'),
      submit: z.boolean().optional().describe('Whether to press Enter afterwards.'),
      slowly: z
        .boolean()
        .optional()
        .describe('Whether to type one character at a time, for pages with key handlers.'),
    }),
    samples: [{ element: 'Search box', ref: 'e3', text: 'zod schemas', submit: true }],
  },
  {
    name: 'browser_fill_form',
    description: 'Fill several fields of a form at once.',
    fields: () => ({
      fields: z
        .array(
          z.object({
            name: z.string().min(1).describe('Name of the field for people.'),
            type: z
              .enum(['textbox', 'checkbox', 'radio', 'combobox', 'slider'])
              .describe('Type of the field.'),
            ref: elementRef(),
            value: z
              .string()
              .describe('Value; "true" or "false" for a checkbox, the label of the option for a combobox.'),
          }),
        )
        .min(1)
        .describe('Fields to fill in.'),
    }),
    samples: [
      {
        fields: [
          { name: 'Name', type: 'textbox', ref: 'e5', value: 'Ada' },
          { name: 'Terms', type: 'checkbox', ref: 'e6', value: 'true' },
        ],
      },
    ],
  },
  {
    name: 'browser_take_screenshot',
    description:
      'Take a screenshot of the viewport, of the whole page or of one element. You cannot act on a screenshot: use the snapshot for actions.',
    fields: () => ({
      type: z.enum(['png', 'jpeg']).default('png').describe('Image format.'),
      filename: z.string().optional().describe('Name of the file; made from the time by default.'),
      element: z.string().optional().describe('Description of the element in words.'),
      ref: z.string().optional().describe('Exact reference of the element.'),
      fullPage: z
        .boolean()
        .optional()
        .describe('Whether to take the whole page; not together with an element.'),
    }),
    samples: [{ fullPage: true }, { type: 'jpeg', element: 'Chart', ref: 'e9' }],
  },
  {
    name: 'browser_wait_for',
    description: 'Wait until text appears or disappears, or for a given time.',
    fields: () => ({
      time: z.number().min(0).max(60).optional().describe('Seconds to wait.'),
      text: z.string().optional().describe('Text to wait for.'),
      textGone: z.string().optional().describe('Text to wait for to disappear.'),
    }),
    samples: [{ time: 1.5 }, { text: 'Done' }],
  },
  {
    name: 'browser_tabs',
    description: 'List the tabs, open a new one, close one or select one.',
    fields: () => ({
      action: z.enum(['list', 'new', 'close', 'select']).describe('Operation to perform.'),
      index: z.number().int().nonnegative().optional().describe('Index of the tab, for close and select.'),
    }),
    samples: [{ action: 'select', index: 2 }, { action: 'list' }],
  },
  {
    name: 'puppeteer_screenshot',
    description: 'Take a screenshot of the current page or of a specific element.',
    fields: () => ({
      name: z.string().describe('Name for the screenshot.'),
      selector: z.string().optional().describe('CSS selector of the element.'),
      width: z.number().default(800).describe('Width in pixels.'),
      height: z.number().default(600).describe('Height in pixels.'),
      encoded: z.boolean().optional().describe('Whether to return it as a data URI.'),
    }),
    samples: [
      { name: 'home', width: 1280, height: 720 },
      { name: 'logo', selector: '#logo' },
    ],
  },
  {
    name: 'puppeteer_launch',
    description:
      'Start the browser anew with other options. Dangerous options are rejected unless they are allowed explicitly.',
    fields: () => ({
      url: z.url({ protocol: /^https?$/ }).describe('Address to open first.'),
      allowDangerous: z
        .boolean()
        .default(false)
        .describe('Whether options that reduce security are allowed.'),
      launchOptions: z
        .object({
          headless: z
            .union([z.boolean(), z.literal('shell')])
            .optional()
            .describe('Whether to run without a window.'),
          args: z.array(z.string()).default([]).describe('Arguments of the browser.'),
          defaultViewport: z
            .object({ width: z.int().min(1), height: z.int().min(1) })
            .nullable()
            .optional(),
          timeout: z
            .int()
            .min(0)
            .max(300_000)
            .default(30_000)
            .describe('Milliseconds until starting is given up.'),
        })
        .nullable()
        .default(null)
        .describe('Options of the browser; it is started anew if they change.'),
    }),
    samples: [
      {
        url: 'https://example.com',
        launchOptions: { headless: 'shell', defaultViewport: { width: 800, height: 600 } },
      },
      { url: 'http://localhost:8080/' },
    ],
  },
  {
    name: 'slack_list_channels',
    description: 'List public channels of the workspace, or those that the configuration names.',
    fields: () => ({
      limit: z.number().int().min(1).max(200).default(100).describe('Maximum number of channels to return.'),
      cursor: cursor(),
    }),
    samples: [{ limit: 20 }, { cursor: 'dXNlcjpVMDYxTkZUVDI=' }],
  },
  {
    name: 'slack_post_message',
    description: 'Post a message to a channel, to a person or as a reply to a thread.',
    fields: () => ({
      channel_id: channel(),
      text: z.string().min(1).max(40_000).describe('Text of the message, in mrkdwn.'),
      thread_ts: z
        .string()
        .regex(/^\d{10}\.\d{6}$/)
        .optional()
        .describe('Timestamp of the parent message, as 1234567890.123456.'),
      reply_broadcast: z
        .boolean()
        .default(false)
        .describe('Whether a reply is shown in the channel as well.'),
      unfurl_links: z.boolean().optional().describe('Whether to show previews of links.'),
    }),
    samples: [
      { channel_id: 'C012AB3CD45', text: 'Deployed 1.4.2', thread_ts: '1719234567.123456' },
      { channel_id: 'D0G9QF9C6XX', text: 'Hello' },
    ],
  },
  {
    name: 'slack_add_reaction',
    description: 'Add an emoji reaction to a message.',
    fields: () => ({
      channel_id: z.string().describe('ID of the channel that has the message.'),
      timestamp: z.string().describe('Timestamp of the message.'),
      reaction: z.string().describe('Name of the emoji, without colons.'),
    }),
    samples: [{ channel_id: 'C012AB3CD45', timestamp: '1719234567.123456', reaction: 'tada' }],
  },
  {
    name: 'slack_get_history',
    description:
      'Get the latest messages of a channel, newest first, within a range of time if one is given.',
    fields: () => ({
      channel_id: channel(),
      limit: z.int().min(1).max(1000).default(10).describe('Number of messages to return.'),
      oldest: z.iso.datetime({ offset: true }).optional().describe('Only messages after this time.'),
      latest: z.iso.datetime({ offset: true }).optional().describe('Only messages before this time.'),
      inclusive: z.boolean().default(false).describe('Whether messages at exactly those times are included.'),
    }),
    samples: [
      { channel_id: 'C012AB3CD45', limit: 50, oldest: '2026-01-01T00:00:00+01:00' },
      { channel_id: 'C012AB3CD45' },
    ],
  },
  {
    name: 'slack_invite_user',
    description: 'Invite somebody to the workspace by email address.',
    fields: () => ({
      email: z.email().describe('Email address of the person.'),
      channel_ids: z.array(channel()).min(1).max(20).describe('Channels that the person is added to.'),
      is_restricted: z.boolean().default(false).describe('Whether the person is a guest.'),
      expires_at: z.iso.date().nullable().default(null).describe('Day on which a guest loses access.'),
    }),
    samples: [{ email: 'ada@example.com', channel_ids: ['C012AB3CD45'], expires_at: '2026-12-31' }],
  },
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
    name: 'create_customer',
    description: 'Create a customer in the payment system.',
    fields: () => ({
      name: z.string().min(1).max(256).describe('Full name of the customer.'),
      email: z.email().optional().describe('Email address of the customer.'),
      phone: z
        .string()
        .regex(/^\+[1-9]\d{6,14}$/)
        .optional()
        .describe('Phone number in E.164 format.'),
      address: z
        .object({
          line1: z.string().min(1),
          line2: z.string().nullable().optional(),
          city: z.string().min(1),
          postal_code: z.string().max(20),
          country: z.string().length(2).describe('ISO 3166-1 alpha-2 code.'),
        })
        .optional()
        .describe('Billing address.'),
      metadata: metadata(),
    }),
    samples: [
      {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        phone: '+441234567890',
        address: { line1: '1 Main St', line2: null, city: 'London', postal_code: 'N1', country: 'GB' },
        metadata: { tier: 'gold' },
      },
      { name: 'Bob' },
    ],
  },
  {
    name: 'create_payment_link',
    description: 'Create a link where customers pay for one or more prices.',
    fields: () => ({
      line_items: z
        .array(
          z.object({
            price: z
              .string()
              .regex(/^price_[A-Za-z0-9]+$/)
              .describe('ID of the price.'),
            quantity: z.int().min(1).max(999).default(1).describe('Number of units.'),
            adjustable_quantity: z
              .object({
                enabled: z.boolean(),
                minimum: z.int().min(0).default(0),
                maximum: z.int().max(999).default(99),
              })
              .optional(),
          }),
        )
        .min(1)
        .max(20)
        .describe('What is paid for.'),
      after_completion: z
        .discriminatedUnion('type', [
          z.object({ type: z.literal('redirect'), url: z.url() }),
          z.object({ type: z.literal('hosted_confirmation'), message: z.string().max(500).optional() }),
        ])
        .optional()
        .describe('What customers see afterwards.'),
      metadata: metadata(),
    }),
    samples: [
      {
        line_items: [
          { price: 'price_1A2b', quantity: 2 },
          { price: 'price_3C', adjustable_quantity: { enabled: true } },
        ],
        after_completion: { type: 'redirect', url: 'https://example.com/thanks' },
      },
    ],
  },
  {
    name: 'create_invoice_item',
    description: 'Add an item to the next invoice of a customer.',
    fields: () => ({
      customer: customer(),
      amount: amount(),
      currency: currency(),
      description: z.string().max(500).optional().describe('Text that the customer sees.'),
      discountable: z.boolean().default(true).describe('Whether discounts apply.'),
    }),
    samples: [
      { customer: 'cus_N1', amount: 1999, description: 'Support' },
      { customer: 'cus_N2', amount: 50, currency: 'eur', discountable: false },
    ],
  },
  {
    name: 'list_subscriptions',
    description: 'List subscriptions, of one customer or of all of them.',
    fields: () => ({
      customer: customer().optional(),
      price: z.string().optional().describe('ID of the price.'),
      status: z
        .enum(['active', 'past_due', 'unpaid', 'canceled', 'incomplete', 'trialing', 'all'])
        .optional()
        .describe('Status of the subscriptions.'),
      limit: z.int().min(1).max(100).default(10).describe('Number of subscriptions to return.'),
    }),
    samples: [{ customer: 'cus_N1', status: 'active' }, { limit: 100 }],
  },
  {
    name: 'create_refund',
    description: 'Refund a payment, in whole or in part.',
    fields: () => ({
      payment_intent: z.string().startsWith('pi_').describe('ID of the payment.'),
      amount: amount().optional(),
      reason: z
        .enum(['duplicate', 'fraudulent', 'requested_by_customer'])
        .nullable()
        .default(null)
        .describe('Reason of the refund.'),
    }),
    samples: [{ payment_intent: 'pi_3N', amount: 500, reason: 'duplicate' }, { payment_intent: 'pi_4M' }],
  },
  {
    name: 'linear_create_issue',
    description: 'Create an issue in a team, with the state, the people and the project it belongs to.',
    fields: () => ({
      title: z.string().min(1).describe('Title of the issue.'),
      teamId: z.uuid().describe('ID of the team.'),
      description: z.string().optional().describe('Description, in Markdown.'),
      priority: priority(),
      assigneeId: z.uuid().nullable().optional().describe('ID of the assignee; null for nobody.'),
      labelIds: z.array(z.uuid()).max(50).default([]).describe('IDs of the labels.'),
      dueDate: z.iso.date().optional().describe('Day on which it is due.'),
      estimate: z.number().min(0).max(64).multipleOf(0.5).optional().describe('Estimate in points.'),
    }),
    samples: [
      { title: 'Ship it', teamId: ID, priority: 1, labelIds: [ID], dueDate: '2026-12-01', estimate: 2.5 },
      { title: 'Later', teamId: ID, assigneeId: null },
    ],
  },
  {
    name: 'linear_list_issues',
    description: 'List issues that match all of the given filters.',
    fields: () => ({
      query: z.string().optional().describe('Text to look for in titles and descriptions.'),
      teamId: z.uuid().optional().describe('ID of the team.'),
      assignee: z
        .union([z.literal('me'), z.email(), z.uuid()])
        .optional()
        .describe('Assignee: "me", an email address or an ID.'),
      states: z
        .array(z.enum(['triage', 'backlog', 'unstarted', 'started', 'completed', 'canceled']))
        .optional()
        .describe('Types of states.'),
      updatedAfter: z.iso.datetime().optional().describe('Only issues that were updated after this time.'),
      includeArchived: z.boolean().default(true).describe('Whether archived issues are included.'),
      limit: z.number().min(1).max(250).default(50).describe('Number of issues to return.'),
      orderBy: z.enum(['createdAt', 'updatedAt']).default('updatedAt').describe('Order of the issues.'),
    }),
    samples: [
      { assignee: 'me', states: ['started', 'unstarted'], limit: 20 },
      { assignee: ID, updatedAfter: '2026-05-01T00:00:00.000Z' },
    ],
  },
  {
    name: 'linear_create_comment',
    description: 'Comment on an issue, or reply to a comment.',
    fields: () => ({
      issueId: z
        .string()
        .regex(/^[A-Z]{2,7}-\d+$/)
        .describe('Identifier of the issue, such as ENG-123.'),
      body: z.string().min(1).describe('Text of the comment, in Markdown.'),
      parentId: z.uuid().optional().describe('ID of the comment that this one replies to.'),
    }),
    samples: [{ issueId: 'ENG-123', body: 'Done in #7.' }],
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
