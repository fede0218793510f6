import { createCalls } from '../requests.mjs';

/** The JSON-RPC messages of both eras. */

export const VERSIONS = { modern: '2026-07-28', legacy: '2025-11-25' };

const CLIENT = { name: 'bench', version: '1.0.0' };
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSIONS.modern,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': CLIENT,
};

/**
 * @typedef {object} Message
 * @property {number} id
 * @property {string} method
 * @property {string} [name] The tool, of a call.
 * @property {string} text
 * @property {string} [expected] The text of a call's result.
 */

/**
 * Calls spread over all tools.
 *
 * @param {number} size
 * @param {'modern' | 'legacy'} era
 * @param {object} [options]
 * @param {boolean} [options.reports] whether the client wants to hear of progress
 * @param {import('../tools.mjs').Catalogue} [options.catalogue]
 * @returns {Message[]}
 */
export function callMessages(size, era, { reports = false, catalogue } = {}) {
  return createCalls(size, catalogue).map(({ id, text, expected }) => {
    const { method, params } = JSON.parse(text);
    const more = reports ? { progressToken: id } : {};
    return { ...toMessage({ id, method, params, era, more }), name: params.name, expected };
  });
}

/**
 * The same list every time: all responses have the same bytes.
 *
 * @param {'modern' | 'legacy'} era
 * @returns {Message}
 */
export function listMessage(era) {
  return toMessage({ id: 1000, method: 'tools/list', params: {}, era });
}

/** The handshake of a client of 2025-11-25. */
export const HANDSHAKE = {
  initialize: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: VERSIONS.legacy, capabilities: {}, clientInfo: CLIENT },
  }),
  initialized: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
};

function toMessage({ id, method, params, era, more = {} }) {
  const hasMeta = era === 'modern' || Object.keys(more).length > 0;
  const _meta = era === 'modern' ? { ...META, ...more } : more;
  const sent = hasMeta ? { ...params, _meta } : params;
  return { id, method, text: JSON.stringify({ jsonrpc: '2.0', id, method, params: sent }) };
}
