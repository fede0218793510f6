import { ToolwrightError } from '../../errors/errors.ts';
import { findHeaderMistake } from '../../outbound/request-headers.ts';
import { isNode } from '../../schema/nodes/json-node.ts';
import { memberOf, objectOf, textOf } from '../document/parse/read-values.ts';
import type { JsonObject } from '../model/operation.ts';
import { clean } from './schemes/security-scheme.ts';
import type { ApiKeyScheme, OAuthFlow, SecurityScheme } from './schemes/security-scheme.ts';

/** The security schemes of a document, and notes about those that were skipped. */
export interface ReadSchemes {
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** One line for each scheme that cannot be used, with the reason. */
  readonly notes: readonly string[];
}

/**
 * Reads `securityDefinitions` of Swagger 2.0 and `components.securitySchemes` of OpenAPI 3. `resolve` follows
 * references; for one that cannot be resolved, it returns undefined or throws one of our errors.
 */
export function readSecuritySchemes(
  root: JsonObject,
  version: string,
  resolve: (value: unknown) => unknown,
): ReadSchemes {
  const isSwagger = version.startsWith('2');
  const schemes = new Map<string, SecurityScheme>();
  const notes: string[] = [];
  const given = isSwagger
    ? memberOf(root, 'securityDefinitions')
    : resolveSection(
        memberOf(resolveSection(memberOf(root, 'components'), resolve), 'securitySchemes'),
        resolve,
      );
  for (const [name, value] of Object.entries(objectOf(given))) {
    const read = readResolved(name, () => resolve(value));
    if (typeof read === 'string') notes.push(`Security scheme "${clean(name)}" is left out: ${read}`);
    else schemes.set(name, read);
  }
  return { schemes, notes };
}

/** The section may be a reference, although OpenAPI does not allow one there. */
function resolveSection(given: unknown, resolve: (value: unknown) => unknown): JsonObject {
  return objectOf(isNode(given) && Object.hasOwn(given, '$ref') ? resolve(given) : given);
}

/** The scheme, or the reason why it cannot be used. */
function readResolved(name: string, resolve: () => unknown): SecurityScheme | string {
  try {
    const value = resolve();
    const read = isNode(value) ? readScheme(name, value) : 'it is not an object';
    return typeof read === 'string' ? `${read}.` : read;
  } catch (error) {
    if (error instanceof ToolwrightError) return error.message;
    throw error;
  }
}

function readScheme(name: string, value: JsonObject): SecurityScheme | string {
  const type = textOf(memberOf(value, 'type'))?.trim().toLowerCase();
  switch (type) {
    case 'apikey':
      return readApiKey(name, value);
    case 'basic':
      return { kind: 'http', name, scheme: 'basic' };
    case 'http':
      return readHttp(name, value);
    case 'oauth2':
      return {
        kind: 'oauth2',
        name,
        flows: readFlows(value),
        metadataUrl: textOf(memberOf(value, 'oauth2MetadataUrl')),
      };
    case 'openidconnect':
      return { kind: 'openIdConnect', name, metadataUrl: textOf(memberOf(value, 'openIdConnectUrl')) };
    case 'mutualtls':
      return { kind: 'mutualTLS', name };
    case undefined:
      return 'it has no type';
    default:
      return `its type "${clean(type)}" is unknown. Known: apiKey, basic, http, mutualTLS, oauth2, openIdConnect`;
  }
}

const LOCATIONS: readonly ApiKeyScheme['in'][] = ['header', 'query', 'cookie'];

function readApiKey(name: string, value: JsonObject): SecurityScheme | string {
  const said = textOf(memberOf(value, 'in'))?.trim().toLowerCase();
  const location = LOCATIONS.find((each) => each === said);
  if (location === undefined) return `its "in" must be one of: ${LOCATIONS.join(', ')}`;
  const parameter = textOf(memberOf(value, 'name'))?.trim();
  if (parameter === undefined) return `its ${location} has no name`;
  // Cookie names have the same syntax as header names.
  if (location !== 'query' && findHeaderMistake(parameter, '') !== undefined)
    return `"${clean(parameter)}" is not a valid ${location} name`;
  return { kind: 'apiKey', name, in: location, parameter };
}

/** Valid names of HTTP authentication schemes. */
const SCHEME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

function readHttp(name: string, value: JsonObject): SecurityScheme | string {
  const scheme = textOf(memberOf(value, 'scheme'))?.trim().toLowerCase();
  if (scheme === undefined) return 'it has no "scheme"';
  if (!SCHEME.test(scheme)) return `"${clean(scheme)}" is not an HTTP authentication scheme`;
  return { kind: 'http', name, scheme };
}

/** Names of OAuth flows in OpenAPI 3, and their names in Swagger 2.0. */
const FLOWS: readonly (readonly [string, OAuthFlow['kind']])[] = [
  ['clientCredentials', 'clientCredentials'],
  ['application', 'clientCredentials'],
  ['authorizationCode', 'authorizationCode'],
  ['accessCode', 'authorizationCode'],
  ['deviceAuthorization', 'deviceAuthorization'],
  ['password', 'password'],
  ['implicit', 'implicit'],
];

/** The client credentials flow comes first. A scheme without flows can still be used with a token. */
function readFlows(value: JsonObject): OAuthFlow[] {
  const flows = objectOf(memberOf(value, 'flows'));
  const single = textOf(memberOf(value, 'flow'));
  return FLOWS.flatMap(([name, kind]) => {
    const flow = single === name ? value : memberOf(flows, name);
    return isNode(flow) ? [{ kind, tokenUrl: textOf(memberOf(flow, 'tokenUrl')) }] : [];
  });
}
