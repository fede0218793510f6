import { HANDSHAKE, SESSIONS } from './requirement.ts';
import type { Requirements } from './requirement.ts';

/** The revisions with a handshake: lifecycle, sessions, streams, elicitation, batches, and the two endpoints of 2024-11-05. */
export const LEGACY = {
  'lifecycle:initialize': {
    behaviour: 'initialize agrees on the version that was asked for and says what the server is and can do.',
    revisions: HANDSHAKE,
    source: 'basic/lifecycle: Initialization',
  },
  'lifecycle:negotiation': {
    behaviour: 'A version that is unknown, or has no handshake, is answered with the newest that has one.',
    revisions: HANDSHAKE,
    source: 'basic/lifecycle: Version negotiation',
  },
  'lifecycle:invalid': {
    behaviour: 'A handshake without version or capabilities is -32602 and begins no session.',
    revisions: HANDSHAKE,
    source: 'schema: InitializeRequest',
  },
  'lifecycle:initialized': {
    behaviour: 'Nothing is told before notifications/initialized.',
    revisions: HANDSHAKE,
    source: 'basic/lifecycle: Initialization',
  },
  'lifecycle:ping': {
    behaviour: 'ping is answered with an empty result, also before the handshake.',
    revisions: HANDSHAKE,
    source: 'basic/utilities/ping',
  },
  'lifecycle:not-begun': {
    behaviour: 'A request before the handshake is -32600.',
    revisions: HANDSHAKE,
    source: 'basic/lifecycle: Initialization',
  },
  'lifecycle:anew': {
    behaviour: 'A second handshake on one connection begins anew; what the first began is cancelled.',
    revisions: HANDSHAKE,
    source: 'own',
  },
  'sessions:id': {
    behaviour: 'A handshake over HTTP gives out an id of visible ASCII that no other session has.',
    revisions: SESSIONS,
    source: 'basic/transports: Session management',
  },
  'sessions:missing': {
    behaviour: 'A request without the id is answered with 400.',
    revisions: SESSIONS,
    source: 'basic/transports: Session management',
  },
  'sessions:unknown': {
    behaviour: 'An unknown id is answered with 404, for POST, GET and DELETE.',
    revisions: SESSIONS,
    source: 'basic/transports: Session management',
  },
  'sessions:delete': {
    behaviour:
      'DELETE ends a session: its work is stopped, its streams end, and its id is answered with 404.',
    revisions: SESSIONS,
    source: 'basic/transports: Session management',
  },
  'sessions:idle': {
    behaviour: 'A session that nobody uses ends; one that is used does not.',
    revisions: SESSIONS,
    source: 'basic/transports: Session management',
  },
  'sessions:limit': {
    behaviour: 'Too many sessions, of all or of one caller, are answered with 503 and Retry-After.',
    revisions: SESSIONS,
    source: 'own',
  },
  'sessions:owner': {
    behaviour: 'The session of another caller does not exist: 404.',
    revisions: SESSIONS,
    source: 'basic/security_best_practices: Session hijacking',
  },
  'sessions:version-header': {
    behaviour:
      'An unsupported MCP-Protocol-Version is answered with 400, for POST, GET and DELETE; none is fine.',
    revisions: SESSIONS,
    source: 'basic/transports: Protocol version header',
  },
  'sessions:none': {
    behaviour:
      'Without sessions each request stands for itself, GET and DELETE are 405, and nothing can be asked.',
    revisions: SESSIONS,
    source: 'basic/transports: Session management',
  },
  'sessions:accepted': {
    behaviour: 'Notifications and responses are answered with 202 and no body.',
    revisions: SESSIONS,
    source: 'basic/transports: Sending messages',
  },
  'streams:get': {
    behaviour: 'GET opens a stream for what belongs to no request; it must be accepted, else 406.',
    revisions: SESSIONS,
    source: 'basic/transports: Listening for messages',
  },
  'streams:once': {
    behaviour: 'A message goes over one stream only.',
    revisions: SESSIONS,
    source: 'basic/transports: Multiple connections',
  },
  'streams:event-ids': {
    behaviour: 'Events have ids that are unique in the session, across its streams.',
    revisions: SESSIONS,
    source: 'basic/transports: Resumability and redelivery',
  },
  'streams:priming': {
    behaviour: 'Streams begin with an id, an empty event and a time to wait, in 2025-11-25 and not before.',
    revisions: SESSIONS,
    source: 'SEP-1699; basic/transports: Sending messages',
  },
  'streams:resume': {
    behaviour:
      'GET with Last-Event-ID continues the stream of that event behind it, and nothing of other streams.',
    revisions: SESSIONS,
    source: 'basic/transports: Resumability and redelivery',
  },
  'streams:poll': {
    behaviour:
      'A server may close the connection before the answer, which waits for the client to come back.',
    revisions: ['2025-11-25'],
    source: 'SEP-1699; basic/transports: Sending messages',
  },
  'streams:response-ends': {
    behaviour: 'The response ends the stream of its request.',
    revisions: SESSIONS,
    source: 'basic/transports: Sending messages',
  },
  'streams:news': {
    behaviour: 'Changes of lists are told over the stream of the session.',
    revisions: SESSIONS,
    source: 'server/tools: List changed notification',
  },
  'questions:elicitation': {
    behaviour:
      'A question is a request on the stream of the call; its answer is posted and lets the call go on.',
    revisions: ['2025-11-25', '2025-06-18'],
    source: 'client/elicitation of 2025-06-18',
  },
  'questions:modes': {
    behaviour: 'Modes are told to 2025-11-25 alone; a page has an elicitationId.',
    revisions: ['2025-11-25', '2025-06-18'],
    source: 'SEP-1036; client/elicitation of 2025-11-25',
  },
  'questions:sampling-and-roots': {
    behaviour: 'The model and folders are asked for with sampling/createMessage and roots/list.',
    revisions: HANDSHAKE,
    source: 'client/sampling; client/roots',
  },
  'questions:undeclared': {
    behaviour: 'A client is never asked for what it did not declare; the model reads about it.',
    revisions: HANDSHAKE,
    source: 'basic/lifecycle: Capability negotiation',
  },
  'questions:refused': {
    behaviour: 'A client that answers with an error ends the question, not the server.',
    revisions: HANDSHAKE,
    source: 'client/elicitation; client/sampling: Error handling',
  },
  'questions:timeout': {
    behaviour:
      'A question that nobody answers is given up, and the client is told with notifications/cancelled.',
    revisions: HANDSHAKE,
    source: 'basic/lifecycle: Timeouts',
  },
  'subscribe:updates': {
    behaviour: 'resources/subscribe and resources/unsubscribe begin and end notifications/resources/updated.',
    revisions: HANDSHAKE,
    source: 'server/resources of 2025-11-25: Subscriptions',
  },
  'subscribe:unknown': {
    behaviour: 'A subscription to nothing is -32002.',
    revisions: HANDSHAKE,
    source: 'server/resources of 2025-11-25: Error handling',
  },
  'batches:answers': {
    behaviour: 'A batch is answered with the answers of its requests, over HTTP and on stdio.',
    revisions: ['2025-03-26'],
    source: 'basic/transports of 2025-03-26: Sending messages',
  },
  'batches:no-requests': {
    behaviour: 'A batch without requests is answered with 202 over HTTP, and not on stdio.',
    revisions: ['2025-03-26'],
    source: 'basic/transports of 2025-03-26: Sending messages',
  },
  'batches:elsewhere': {
    behaviour: 'No other revision has batches: -32600, over HTTP 400.',
    revisions: ['2026-07-28', '2025-11-25', '2025-06-18', '2024-11-05'],
    source: 'changelog of 2025-06-18',
  },
  'batches:no-handshake': {
    behaviour: 'A handshake in a batch is refused.',
    revisions: ['2025-03-26'],
    source: 'basic/lifecycle of 2025-03-26: Initialization',
  },
  'sse:endpoint': {
    behaviour: 'The stream begins with an endpoint event that says where to post.',
    revisions: ['2024-11-05'],
    source: 'basic/transports of 2024-11-05: HTTP with SSE',
  },
  'sse:messages': {
    behaviour: 'What is posted is answered with 202; the server speaks in message events on the stream.',
    revisions: ['2024-11-05'],
    source: 'basic/transports of 2024-11-05: HTTP with SSE',
  },
  'sse:errors': {
    behaviour: 'The endpoints answer with 404, 405, 406, 413 and 415 where they cannot serve.',
    revisions: ['2024-11-05'],
    source: 'own',
  },
  'sse:off': {
    behaviour: 'The endpoints are not there unless they are asked for.',
    revisions: ['2024-11-05'],
    source: 'own; deprecated',
  },
  'sse:disconnect': {
    behaviour: 'A client that hangs up ends its connection and what runs for it.',
    revisions: ['2024-11-05'],
    source: 'basic/transports of 2024-11-05: HTTP with SSE',
  },
} as const satisfies Requirements;
