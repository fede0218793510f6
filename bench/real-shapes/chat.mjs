import { z } from 'zod';
import { cursor } from './common.mjs';

const channel = () =>
  z
    .string()
    .regex(/^[CDG][A-Z0-9]{8,}$/)
    .describe('ID of the channel or conversation, such as C012AB3CD45.');

/**
 * Channels and messages.
 *
 * @type {readonly import('./index.mjs').RealShape[]}
 */
export const CHAT = [
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
];
