import { setTimeout as sleep } from 'node:timers/promises';
import { defineTool, jsonSchema, ToolError } from 'toolwright';
import type { AnyToolDefinition } from 'toolwright';
import * as z from 'zod';
import { PIXEL_PNG, SILENCE_WAV } from './media.ts';

const NOTHING = z.object({});

/** Tools for each kind of content, and for progress and logs during a call. The first one has no arguments and always succeeds. */
export const contentTools: readonly AnyToolDefinition[] = [
  defineTool({
    name: 'test_simple_text',
    description: 'Returns a text.',
    inputSchema: NOTHING,
    handler: () => 'This is a simple text response for testing.',
  }),
  defineTool({
    name: 'test_image_content',
    description: 'Returns an image.',
    inputSchema: NOTHING,
    handler: () => ({ type: 'image', data: PIXEL_PNG, mimeType: 'image/png' }),
  }),
  defineTool({
    name: 'test_audio_content',
    description: 'Returns audio.',
    inputSchema: NOTHING,
    handler: () => ({ type: 'audio', data: SILENCE_WAV, mimeType: 'audio/wav' }),
  }),
  defineTool({
    name: 'test_embedded_resource',
    description: 'Returns a resource.',
    inputSchema: NOTHING,
    handler: () => ({
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    }),
  }),
  defineTool({
    name: 'test_multiple_content_types',
    description: 'Returns a text, an image and a resource.',
    inputSchema: NOTHING,
    handler: () => [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PIXEL_PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  }),
  defineTool({
    name: 'test_error_handling',
    description: 'Fails on purpose.',
    inputSchema: NOTHING,
    handler: () => {
      throw new ToolError('This tool intentionally returns an error for testing');
    },
  }),
  defineTool({
    name: 'test_tool_with_logging',
    description: 'Writes three messages to the log of the client.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      await context.sendLog('info', 'Tool execution started');
      await sleep(50);
      await context.sendLog('info', 'Tool processing data');
      await sleep(50);
      await context.sendLog('info', 'Tool execution completed');
      return 'Logged three messages.';
    },
  }),
  defineTool({
    name: 'test_logging_tool',
    description: 'Writes one message to the log of the client, if its log level allows it.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      await context.sendLog('info', 'A message');
      return 'Logged one message.';
    },
  }),
  defineTool({
    name: 'test_tool_with_progress',
    description: 'Reports progress three times.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      for (const progress of [0, 50, 100]) {
        await context.progress(progress, 100);
        await sleep(50);
      }
      return 'Done.';
    },
  }),
  defineTool({
    name: 'test_reconnection',
    description: 'Lets the client disconnect and resume the stream.',
    inputSchema: NOTHING,
    handler: async ({ context }) => {
      context.releaseStream();
      await sleep(100);
      return 'Welcome back.';
    },
  }),
  defineTool({
    name: 'test_x_mcp_header',
    description: 'Has an argument that is also sent as a header.',
    inputSchema: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
    handler: ({ input }) => `Region: ${input.region}`,
  }),
  defineTool({
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: jsonSchema<{ name?: string }>({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    }),
    handler: ({ input }) => `Contact: ${input.name ?? 'nobody'}`,
  }),
];
