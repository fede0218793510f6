import { didYouMean } from '../../errors/nearest-names.ts';
import type { Finding } from '../../errors/finding.ts';
import type { Operation, OperationServer } from '../model/operation.ts';

/** Options of {@link findBaseUrl}. */
export interface BaseUrlOptions {
  /** Takes precedence over the document. */
  readonly baseUrl: string | undefined;
  /** Values of the variables in server URLs. */
  readonly serverVariables: Readonly<Record<string, string>>;
  /** URI of the document: relative server URLs start there. */
  readonly documentUri: string;
}

/** The URL that the path of an operation is appended to, or the reason why there is none. */
export type BaseUrl = { readonly url: string } | NoBaseUrl;

interface NoBaseUrl {
  readonly problem: string;
  /** The reason as data, if an option helps. */
  readonly finding?: Finding;
}

const GIVE = 'Set baseUrl to the URL of the API.';

function withoutUrl(why: string): NoBaseUrl {
  const problem = `${why}. ${GIVE}`;
  return { problem, finding: { reason: 'no-base-url', option: 'baseUrl', received: why, message: problem } };
}

function withoutVariable(name: string, url: string): NoBaseUrl {
  const problem = `The server ${JSON.stringify(url)} needs a value for {${name}}: set serverVariables.${name}, or baseUrl.`;
  const option = 'serverVariables';
  return {
    problem,
    finding: { reason: 'missing-server-variable', option, path: [name], received: url, message: problem },
  };
}

/** Finds the base URL of an operation: the option, else its own servers, its path's, the document's. */
export function findBaseUrl({ servers }: Pick<Operation, 'servers'>, options: BaseUrlOptions): BaseUrl {
  if (options.baseUrl !== undefined) return checkUrl(options.baseUrl, options.baseUrl);
  const [first, ...others] = servers.length > 0 ? servers : [WITHOUT];
  const found = resolveServer(first ?? WITHOUT, options);
  if (!('problem' in found)) return found;
  // Uses the first valid server; the error is about the first one.
  for (const server of others) {
    const other = resolveServer(server, options);
    if (!('problem' in other)) return other;
  }
  return found;
}

/** Without servers, relative to the document's own URL. */
const WITHOUT: OperationServer = { url: '/', description: undefined, variables: {} };

function resolveServer(server: OperationServer, { serverVariables, documentUri }: BaseUrlOptions): BaseUrl {
  const filled = fillVariables(server, serverVariables);
  if (typeof filled !== 'string') return filled;
  if (/^https?:\/\//i.test(filled)) return checkUrl(filled, server.url);
  const isFromWeb = /^https?:/i.test(documentUri);
  // A host without a scheme, in a document from a file.
  if (filled.startsWith('//') && !isFromWeb) return checkUrl(`https:${filled}`, server.url);
  if (!isFromWeb) {
    const why =
      server === WITHOUT
        ? 'The document names no server'
        : `The document's server ${JSON.stringify(filled)} is relative`;
    return withoutUrl(`${why}, and it was not loaded from a URL`);
  }
  return checkUrl(URL.canParse(filled, documentUri) ? new URL(filled, documentUri).href : filled, server.url);
}

function checkUrl(given: string, shown: string): BaseUrl {
  const isAddress = /^https?:\/\//i.test(given) && URL.canParse(given);
  if (!isAddress || /[{}]/.test(given))
    return withoutUrl(`${JSON.stringify(hideUser(String(shown)))} is not a valid URL of an API`);
  const { username, password, origin, pathname, search } = new URL(given);
  if (username !== '' || password !== '')
    return { problem: 'The URL of the API contains a user name or a password. Use credentials instead.' };
  return { url: `${origin}${pathname}${search}` };
}

function hideUser(url: string): string {
  return url.replace(/\/\/[^/?#@]*@/, '//');
}

/** Replaces each variable by the given value, else its default. */
function fillVariables(
  { url, variables }: OperationServer,
  given: Readonly<Record<string, string>>,
): string | NoBaseUrl {
  let rest = url.trim();
  let filled = '';
  for (let open = rest.indexOf('{'); open !== -1; open = rest.indexOf('{')) {
    const close = rest.indexOf('}', open);
    if (close === -1) break;
    const name = rest.slice(open + 1, close);
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const chosen = Object.hasOwn(given, name) ? given[name] : undefined;
    const value = chosen ?? variable?.default ?? variable?.enum?.[0];
    if (value === undefined) return withoutVariable(name, url);
    if (chosen !== undefined && variable?.enum !== undefined && !variable.enum.includes(chosen)) {
      const choices = variable.enum.join(', ');
      return {
        problem: `The server variable ${name} must be one of: ${choices}.${didYouMean(chosen, [...variable.enum])}`,
      };
    }
    filled += rest.slice(0, open) + value;
    rest = rest.slice(close + 1);
  }
  return filled + rest;
}
