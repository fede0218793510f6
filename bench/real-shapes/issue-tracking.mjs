import { z } from 'zod';
import { ID } from './common.mjs';

const priority = () =>
  z
    .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)])
    .optional()
    .describe('0 is no priority, 1 urgent, 2 high, 3 medium, 4 low.');

/**
 * Issues of teams.
 *
 * @type {readonly import('./index.mjs').RealShape[]}
 */
export const ISSUE_TRACKING = [
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
];
