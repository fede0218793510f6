import { z } from 'zod';

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
const at = { owner: 'octo-org', repo: 'hello-world' };

/**
 * Issues, pull requests, code and workflows of a source host.
 *
 * @type {readonly import('./index.mjs').RealShape[]}
 */
export const SOURCE_HOSTING = [
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
];
