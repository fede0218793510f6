import { ALL, HANDSHAKE, MODERN } from './requirement.ts';
import type { Requirements } from './requirement.ts';

/** Tools, prompts, resources, completion, lists, caching, progress, logging, cancellation. */
export const FEATURES = {
  'tools:list': {
    behaviour:
      'tools/list gives every tool with name, description and an input schema, in the same order every time.',
    revisions: ALL,
    source: 'server/tools: Listing tools',
  },
  'tools:names': {
    behaviour: 'Names are 1 to 128 letters, digits, _, - and dots; others are refused when they are defined.',
    revisions: ALL,
    source: 'server/tools: Tool names',
  },
  'tools:unknown': {
    behaviour: 'An unknown tool is the error -32602.',
    revisions: ALL,
    source: 'server/tools: Error handling',
  },
  'tools:invalid-params': {
    behaviour: 'A call without a name, or with arguments that are no object, is the error -32602.',
    revisions: ALL,
    source: 'server/tools: Error handling',
  },
  'tools:invalid-arguments': {
    behaviour: 'Arguments that do not fit the schema are a result with isError.',
    revisions: ALL,
    source: 'SEP-1303; server/tools: Error handling',
  },
  'tools:handler-fails': {
    behaviour: 'A tool that fails is a result with isError that gives nothing away.',
    revisions: ALL,
    source: 'server/tools: Error handling',
  },
  'tools:structured': {
    behaviour: 'Structured content comes with the same as text.',
    revisions: ALL,
    source: 'server/tools: Structured content',
  },
  'tools:structured:any-root': {
    behaviour: 'Structured content and output schemas may have any root.',
    revisions: MODERN,
    source: 'SEP-2106; server/tools: Output schema',
  },
  'tools:structured:wrapped': {
    behaviour: 'Roots that are no object travel as the member result, in the list and in results alike.',
    revisions: HANDSHAKE,
    source: 'server/tools of 2025-11-25: Output schema',
  },
  'tools:content:downgrade': {
    behaviour: 'Blocks that a revision does not know are said in blocks it knows.',
    revisions: ['2025-03-26', '2024-11-05'],
    source: 'schema of 2025-03-26 and 2024-11-05',
  },
  'prompts:get': {
    behaviour: 'prompts/get gives messages made of the arguments.',
    revisions: ALL,
    source: 'server/prompts: Getting a prompt',
  },
  'prompts:errors': {
    behaviour:
      'An unknown prompt and a missing argument are -32602; a prompt that fails is -32603 and gives nothing away.',
    revisions: ALL,
    source: 'server/prompts: Error handling',
  },
  'resources:read': {
    behaviour: 'resources/read gives text or base64, of resources and of templates.',
    revisions: ALL,
    source: 'server/resources: Reading resources',
  },
  'resources:not-found': {
    behaviour: 'An unknown URI is -32602 with the URI in data.',
    revisions: MODERN,
    source: 'SEP-2164; server/resources: Error handling',
  },
  'resources:not-found:earlier': {
    behaviour: 'An unknown URI is -32002 with the URI in data.',
    revisions: HANDSHAKE,
    source: 'server/resources of 2025-11-25: Error handling',
  },
  'completion:values': {
    behaviour: 'completion/complete gives values for arguments of prompts and variables of templates.',
    revisions: ALL,
    source: 'server/utilities/completion',
  },
  'completion:context': {
    behaviour: 'What was chosen for other arguments is taken into account.',
    revisions: ['2026-07-28', '2025-11-25', '2025-06-18'],
    source: 'server/utilities/completion: context',
  },
  'completion:at-most-100': {
    behaviour: 'No more than 100 values are given; total and hasMore say that there are more.',
    revisions: ALL,
    source: 'server/utilities/completion: Completion results',
  },
  'completion:errors': {
    behaviour: 'A reference to nothing, and one of a wrong form, is -32602.',
    revisions: ALL,
    source: 'server/utilities/completion: Error handling',
  },
  'pages:cursor': {
    behaviour: 'A long list comes in pages that nextCursor leads through; the last has none.',
    revisions: ALL,
    source: 'server/utilities/pagination',
  },
  'pages:every-list': {
    behaviour: 'Tools, prompts, resources and resource templates have pages.',
    revisions: ALL,
    source: 'server/utilities/pagination: Operations',
  },
  'pages:invalid-cursor': {
    behaviour: 'A cursor that was not given out is -32602.',
    revisions: ALL,
    source: 'server/utilities/pagination: Error handling',
  },
  'pages:stable-cursor': {
    behaviour: 'A cursor keeps its place when the list changes.',
    revisions: ALL,
    source: 'server/utilities/pagination: Implementation guidelines',
  },
  'cache:hints': {
    behaviour: 'The six cacheable results say ttlMs and cacheScope, as configured or 0 and private.',
    revisions: MODERN,
    source: 'SEP-2549; server/utilities/caching',
  },
  'cache:pages': {
    behaviour: 'All pages of a list have the same cacheScope.',
    revisions: MODERN,
    source: 'server/utilities/caching: Interaction with pagination',
  },
  'cache:resource': {
    behaviour: 'A resource with a hint of its own is read with that hint, by whoever may see it.',
    revisions: MODERN,
    source: 'server/utilities/caching',
  },
  'cache:rounds': {
    behaviour: 'Questions carry no hints, and what came of answers is not to be kept.',
    revisions: MODERN,
    source: 'server/utilities/caching: Cache key',
  },
  'progress:token': {
    behaviour: 'Progress goes to who asked for it, with its token, before the answer; nobody else gets any.',
    revisions: ALL,
    source: 'basic/patterns/progress',
  },
  'progress:increases': {
    behaviour: 'Progress only increases; what does not is not sent.',
    revisions: ALL,
    source: 'basic/patterns/progress',
  },
  'log:opt-in': {
    behaviour:
      'A request without logLevel gets no log messages; one with it gets those of that level and above.',
    revisions: MODERN,
    source: 'server/utilities/logging',
  },
  'log:set-level': {
    behaviour: 'logging/setLevel chooses the messages of a session; an unknown level is -32602.',
    revisions: HANDSHAKE,
    source: 'server/utilities/logging of 2025-11-25',
  },
  'log:request-stream': {
    behaviour: 'Log messages go where the request they belong to is answered, once.',
    revisions: ALL,
    source: 'server/utilities/logging',
  },
  'cancel:notification': {
    behaviour: 'notifications/cancelled stops a request, which is not answered then.',
    revisions: ALL,
    source: 'basic/patterns/cancellation',
  },
  'cancel:unknown': {
    behaviour: 'A cancellation of something unknown, answered or malformed is ignored.',
    revisions: ALL,
    source: 'basic/patterns/cancellation: Error handling',
  },
  'cancel:disconnect-is-none': {
    behaviour: 'A client that hangs up does not take its request back.',
    revisions: ['2025-11-25', '2025-06-18', '2025-03-26'],
    source: 'basic/transports of 2025-11-25: Sending messages',
  },
} as const satisfies Requirements;
