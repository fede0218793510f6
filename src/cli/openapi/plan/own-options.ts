import type { OpenApiOptions } from '../../../openapi/import-options.ts';
import { UsageError } from '../../terminal/command.ts';
import { readApiHeaders, splitHeaders } from './api-headers.ts';
import { sourceAt } from './named-documents.ts';
import type { NamedDocument } from './named-documents.ts';
import { splitEntries } from './own-entries.ts';
import type { EntryForm } from './own-entries.ts';
import { readCredentials } from './read-credentials.ts';
import type { Settings } from './settings.ts';

/** Options of one document. */
export interface OwnOptions extends Pick<
  OpenApiOptions,
  'baseUrl' | 'credentials' | 'documentHeaders' | 'headers' | 'origins' | 'overlays' | 'serverVariables'
> {
  /** URLs of the command line for this document. */
  readonly addresses: readonly string[];
}

/** Reads the options of each document, in the order of the documents. */
export function readOwnOptions(
  settings: Settings,
  documents: readonly NamedDocument[],
): readonly OwnOptions[] {
  const names = documents.map(({ name }) => name);
  const split = (flag: string, separator: EntryForm['separator'], entries = settings.list(flag)) =>
    splitEntries(entries, names, { flag, separator });
  const baseUrls = split('base-url', '=', findBaseUrls(settings));
  const headers = split('headers', '.', settings.list('headers').flatMap(splitHeaders));
  const documentHeaders = split('document-header', '.');
  const bearers = split('bearer-env', '.');
  const plain = split('credential', '.');
  const clients = split('client-credentials', '.');
  const origins = split('credential-origin', '=');
  const overlays = split('overlay', '=');
  const variables = split('server-variable', '.');
  return documents.map((_, index) => {
    const at = (lists: readonly (readonly string[])[]): readonly string[] => lists[index] ?? [];
    const baseUrl = readBaseUrl(at(baseUrls));
    const credentials = readCredentials({ plain: at(plain), clients: at(clients) }, settings);
    return {
      ...(baseUrl === undefined ? {} : { baseUrl }),
      serverVariables: readVariables(at(variables)),
      headers: withBearer(readApiHeaders(at(headers), 'headers', settings), at(bearers), settings),
      credentials,
      origins: at(origins),
      documentHeaders: readApiHeaders(at(documentHeaders), 'document-header', settings),
      overlays: at(overlays).map((each) => sourceAt(each, settings)),
      addresses: [
        baseUrl ?? '',
        ...at(overlays),
        ...at(origins),
        ...Object.values(credentials).map((each) =>
          typeof each === 'object' && 'tokenUrl' in each ? (each.tokenUrl ?? '') : '',
        ),
      ],
    };
  });
}

/** `--base-url`, and `--api-base-url` for compatibility with similar tools. */
function findBaseUrls(settings: Settings): readonly string[] {
  const other = settings.call.flags['api-base-url'] === undefined ? undefined : settings.text('api-base-url');
  if (other === undefined) return settings.list('base-url');
  return settings.call.flags['base-url'] === undefined ? [other] : [...settings.list('base-url'), other];
}

/** Messages do not repeat the URL, because it may contain a key. */
function readBaseUrl(given: readonly string[]): string | undefined {
  const [url, other] = new Set(given);
  if (url === undefined) return undefined;
  if (other !== undefined)
    throw new UsageError('Duplicate base URL: a document can have only one. Remove the others.');
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new UsageError(
      'Invalid --base-url (API_BASE_URL): expected a URL such as https://api.example.com/v1.',
    );
  const { username, password, host } = new URL(url);
  if (username !== '' || password !== '')
    throw new UsageError(
      `The base URL at ${host} contains a user name or a password. Use --credential, or --headers "Authorization: Basic \u2026".`,
    );
  return url;
}

function readVariables(entries: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    entries.map((entry) => {
      const sign = entry.indexOf('=');
      if (sign < 1)
        throw new UsageError(`Invalid --server-variable "${entry}": expected name=value, such as region=eu.`);
      return [entry.slice(0, sign), entry.slice(sign + 1)];
    }),
  );
}

function withBearer(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
  settings: Settings,
): Readonly<Record<string, string>> {
  const [name, other] = names;
  if (name === undefined) return headers;
  if (other !== undefined || Object.hasOwn(headers, 'authorization'))
    throw new UsageError(
      'Duplicate "Authorization" header for one API. Use --bearer-env once, or --headers.',
    );
  return { ...headers, authorization: `Bearer ${settings.neededVariable(name, '--bearer-env')}` };
}
