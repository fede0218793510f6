/** Every attack on the memory of a server, by name. */
import { pieces, stalled } from './bodies.mjs';
import { answers, asking, heldArguments, listen, reasons, taskArguments } from './calls.mjs';
import { echoes, tokens } from './echoes.mjs';
import { batches, deafStreams, events, file, taskResults, unread } from './results.mjs';
import { emptySessions, longHandshakes } from './sessions.mjs';

export const ATTACKS = {
  pieces,
  stalled,
  arguments: heldArguments,
  asking,
  answers,
  reasons,
  listen,
  'task-arguments': taskArguments,
  'task-results': taskResults,
  events,
  initialize: longHandshakes,
  sessions: emptySessions,
  unread,
  batches,
  'deaf-streams': deafStreams,
  file,
  echoes,
  tokens,
};
