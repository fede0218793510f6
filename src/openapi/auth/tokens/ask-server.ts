import type { OutboundClient } from '../../../outbound/outbound-client.ts';
import type { OutboundRequest } from '../../../outbound/outbound-request.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';
import { isNode } from '../../../schema/nodes/json-node.ts';
import type { JsonObject } from '../../model/operation.ts';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 262_144;

/**
 * Sends a request to an authorization server and parses the response; anything but a JSON object is treated as an
 * empty one.
 */
export async function askServer(
  client: OutboundClient,
  owner: string,
  request: OutboundRequest,
): Promise<{ readonly status: number; readonly read: JsonObject }> {
  try {
    const { status, body } = await client.send({
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_ANSWER_BYTES,
      ...request,
    });
    return { status, read: readJson(body.toString('utf8')) };
  } catch (error) {
    if (!(error instanceof OutboundError) || error.failure === 'cancelled') throw error;
    const { failure, message, retryAfterMs } = error;
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    throw new OutboundError(failure, `No token for ${owner}: ${message}`, { cause: error, ...wait });
  }
}

function readJson(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isNode(value) ? value : {};
  } catch {
    return {};
  }
}
