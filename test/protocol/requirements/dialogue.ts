import { MODERN } from './requirement.ts';
import type { Requirements } from './requirement.ts';

/** Several rounds, subscriptions and tasks: replacements for sessions in 2026-07-28 and its extension. */
export const DIALOGUE = {
  'rounds:input-required': {
    behaviour: 'A question ends the request with resultType input_required, inputRequests and requestState.',
    revisions: MODERN,
    source: 'SEP-2322; basic/patterns/mrtr',
  },
  'rounds:kinds': {
    behaviour:
      'Forms, pages, the model and folders are asked for with the methods of the protocol, several at once.',
    revisions: MODERN,
    source: 'basic/patterns/mrtr: InputRequests',
  },
  'rounds:requests': {
    behaviour: 'tools/call, prompts/get and resources/read may ask; nothing else does.',
    revisions: MODERN,
    source: 'basic/patterns/mrtr: Supported requests',
  },
  'rounds:retry': {
    behaviour: 'The same request with the answers and the state is completed.',
    revisions: MODERN,
    source: 'basic/patterns/mrtr: Basic workflow',
  },
  'rounds:several': {
    behaviour: 'Each round has a state of its own that carries the answers of those before.',
    revisions: MODERN,
    source: 'basic/patterns/mrtr: Basic workflow',
  },
  'rounds:missing-answer': {
    behaviour: 'What was not answered, or not usably, is asked again.',
    revisions: MODERN,
    source: 'basic/patterns/mrtr: Error handling',
  },
  'rounds:unknown-keys': {
    behaviour: 'Answers to nothing are ignored.',
    revisions: MODERN,
    source: 'basic/patterns/mrtr: Error handling',
  },
  'rounds:malformed': {
    behaviour: 'inputResponses that are no object are -32602.',
    revisions: MODERN,
    source: 'basic/patterns/mrtr: Error handling',
  },
  'rounds:undeclared': {
    behaviour: 'A client is never asked for what it did not declare: -32021.',
    revisions: MODERN,
    source: 'basic/patterns/mrtr: Server requirements',
  },
  'rounds:declined': {
    behaviour: 'A user who declines or cancels has answered.',
    revisions: MODERN,
    source: 'client/elicitation: Response actions',
  },
  'rounds:state:tampered': {
    behaviour: 'A state that was changed, cut or made up is -32602.',
    revisions: MODERN,
    source: 'basic/patterns/mrtr: Server requirements',
  },
  'rounds:state:expired': {
    behaviour: 'A state that is too old is -32602.',
    revisions: MODERN,
    source: 'basic/patterns/mrtr: Server requirements',
  },
  'rounds:state:principal': {
    behaviour: 'The state of another caller is -32602.',
    revisions: MODERN,
    source: 'basic/patterns/mrtr: Server requirements',
  },
  'rounds:state:request': {
    behaviour: 'The state of another method, name or other arguments is -32602.',
    revisions: MODERN,
    source: 'basic/patterns/mrtr: Server requirements',
  },
  'rounds:state:opaque': {
    behaviour: 'The state gives nothing away.',
    revisions: MODERN,
    source: 'basic/patterns/mrtr: Security considerations',
  },
  'rounds:state:keys': {
    behaviour:
      'A state is good on every machine with the key, also after the key was changed, and on no other.',
    revisions: MODERN,
    source: 'basic/patterns/mrtr (no shared storage)',
  },
  'rounds:state:rotation': {
    behaviour: 'Keys are replaced while the server runs; an old key is accepted until it is removed.',
    revisions: MODERN,
    source: 'own',
  },
  'rounds:limit': {
    behaviour: 'A request that asked too often is refused.',
    revisions: MODERN,
    source: 'own',
  },
  'listen:acknowledged': {
    behaviour: 'The first message on a subscription acknowledges the part of the filter that is honoured.',
    revisions: MODERN,
    source: 'SEP-2575; basic/patterns/subscriptions: Acknowledgment',
  },
  'listen:subscription-id': {
    behaviour: 'Everything on a subscription carries the id of its request.',
    revisions: MODERN,
    source: 'basic/patterns/subscriptions: Receiving notifications',
  },
  'listen:filter': {
    behaviour: 'Only what was asked for is told.',
    revisions: MODERN,
    source: 'basic/patterns/subscriptions: Opening a stream',
  },
  'listen:resources': {
    behaviour: 'Updates are told of resources that were named and that the caller may read.',
    revisions: MODERN,
    source: 'basic/patterns/subscriptions: Notification filter',
  },
  'listen:several': {
    behaviour: 'A client may have several subscriptions, each told apart by its id.',
    revisions: MODERN,
    source: 'basic/patterns/subscriptions: Multiple concurrent subscriptions',
  },
  'listen:graceful-end': {
    behaviour: 'A server that closes ends subscriptions with a result that carries the id.',
    revisions: MODERN,
    source: 'schema: SubscriptionsListenResult',
  },
  'listen:client-ends': {
    behaviour:
      'A client ends a subscription by hanging up, or by notifications/cancelled on stdio, and gets no answer.',
    revisions: MODERN,
    source: 'basic/patterns/subscriptions: Cancellation',
  },
  'listen:invalid': {
    behaviour: 'A filter that is no object is -32602.',
    revisions: MODERN,
    source: 'schema: SubscriptionsListenRequest',
  },
  'listen:limit': { behaviour: 'Too many subscriptions are refused.', revisions: MODERN, source: 'own' },
  'tasks:declared': {
    behaviour: 'The extension is declared under extensions, not as a capability of the core.',
    revisions: MODERN,
    source: 'SEP-2663: Capability negotiation',
  },
  'tasks:only-if-declared': {
    behaviour: 'Only a request that declares the extension is answered with a task.',
    revisions: MODERN,
    source: 'SEP-2663: Capability negotiation',
  },
  'tasks:required': {
    behaviour: 'A tool that runs as a task only is refused with -32021 to others; over HTTP with 400.',
    revisions: MODERN,
    source: 'SEP-2663: Capability negotiation',
  },
  'tasks:create': {
    behaviour: 'CreateTaskResult is flat, says resultType task, times and poll interval, and who sent it.',
    revisions: MODERN,
    source: 'SEP-2663: Task creation',
  },
  'tasks:durable': {
    behaviour: 'The task is in the store before it is announced.',
    revisions: MODERN,
    source: 'SEP-2663: Task creation',
  },
  'tasks:get': {
    behaviour: 'tasks/get gives the task, with its result when it is completed.',
    revisions: MODERN,
    source: 'SEP-2663: Task polling',
  },
  'tasks:tool-error': {
    behaviour: 'A tool that fails completes its task with isError.',
    revisions: MODERN,
    source: 'SEP-2663: Task execution errors',
  },
  'tasks:failed': {
    behaviour: 'An error of the protocol fails the task, with the error and a status message.',
    revisions: MODERN,
    source: 'SEP-2663: Task execution errors',
  },
  'tasks:input': {
    behaviour:
      'A task that asks is input_required and shows its questions; tasks/update answers some or all of them.',
    revisions: MODERN,
    source: 'SEP-2663: Task update requests',
  },
  'tasks:update:unknown-keys': {
    behaviour: 'Answers to nothing are acknowledged and ignored.',
    revisions: MODERN,
    source: 'SEP-2663: Task update requests',
  },
  'tasks:cancel': {
    behaviour:
      'tasks/cancel stops the work and is acknowledged with an empty result, also when the task has ended.',
    revisions: MODERN,
    source: 'SEP-2663: Task cancellation',
  },
  'tasks:unknown': {
    behaviour: 'A task that is unknown, or of somebody else, is -32602.',
    revisions: MODERN,
    source: 'SEP-2663: Protocol errors',
  },
  'tasks:undeclared': {
    behaviour:
      'tasks/get, tasks/update and tasks/cancel without the extension are -32021, whatever the task.',
    revisions: MODERN,
    source: 'SEP-2663: Capability negotiation',
  },
  'tasks:no-list': {
    behaviour: 'tasks/list and tasks/result are unknown.',
    revisions: MODERN,
    source: 'SEP-2663; changelog',
  },
  'tasks:ttl': {
    behaviour: 'A task that has ended is kept for its ttlMs and then unknown.',
    revisions: MODERN,
    source: 'SEP-2663: Task polling',
  },
  'tasks:headers': {
    behaviour: 'Methods of tasks need Mcp-Name with the id of the task.',
    revisions: MODERN,
    source: 'SEP-2663: Routing headers',
  },
  'tasks:notifications': {
    behaviour:
      'notifications/tasks on a subscription tell the whole task; only of tasks that are the caller’s.',
    revisions: MODERN,
    source: 'SEP-2663: Task status notifications',
  },
  'tasks:notifications:undeclared': {
    behaviour: 'A subscription to tasks without the extension is refused with -32021.',
    revisions: MODERN,
    source: 'SEP-2663: Task status notifications',
  },
  'tasks:quiet': {
    behaviour: 'A task sends no progress and no log messages; its progress is its status message.',
    revisions: MODERN,
    source: 'SEP-2663',
  },
  'tasks:after-rounds': {
    behaviour: 'A tool may ask first and then go on as a task.',
    revisions: MODERN,
    source: 'SEP-2663: Task creation',
  },
} as const satisfies Requirements;
