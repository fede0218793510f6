import type { ClientCredential, Credential } from '../../../openapi/auth/credential.ts';
import { didYouMean } from '../../../errors/nearest-names.ts';
import { UsageError } from '../../terminal/command.ts';
import type { Settings } from './settings.ts';

/** Reads the credentials of one document, by security scheme. Messages never contain values. */
export function readCredentials(
  { plain, clients }: { readonly plain: readonly string[]; readonly clients: readonly string[] },
  settings: Settings,
): Readonly<Record<string, Credential>> {
  const found = new Map<string, Credential>();
  const add = (scheme: string, credential: Credential): void => {
    if (found.has(scheme))
      throw new UsageError(`Duplicate credential for the security scheme "${scheme}". Remove one of them.`);
    found.set(scheme, credential);
  };
  for (const entry of plain) {
    const sign = entry.indexOf('=');
    // An entry without "=" may be the secret itself, so it is not shown.
    if (sign < 1)
      throw new UsageError(
        'Invalid --credential: expected scheme=value with the name of a security scheme, such as --credential api_key=env:API_KEY',
      );
    const scheme = entry.slice(0, sign);
    add(scheme, settings.secret(entry.slice(sign + 1), `--credential ${scheme}`));
  }
  for (const entry of clients) {
    const [scheme, credential] = readClient(entry, settings);
    add(scheme, credential);
  }
  return Object.fromEntries(found);
}

const MEMBERS = ['id', 'secret', 'token-url', 'scopes', 'audience', 'resource', 'auth'] as const;
type Member = (typeof MEMBERS)[number];

const HOW = '--client-credentials "oauth id=abc secret=env:OAUTH_KEY"';

/** `oauth id=abc secret=env:OAUTH_KEY token-url=https://… scopes=read,write` */
function readClient(entry: string, settings: Settings): readonly [scheme: string, ClientCredential] {
  const [scheme = '', ...words] = entry.trim().split(/\s+/);
  if (scheme === '' || scheme.includes('='))
    throw new UsageError(
      `Invalid --client-credentials: expected the name of a security scheme first, such as ${HOW}`,
    );
  const owner = `--client-credentials ${scheme}`;
  const members = new Map<Member, string>();
  for (const word of words) {
    const sign = word.indexOf('=');
    const name = word.slice(0, Math.max(sign, 0));
    const member = MEMBERS.find((each) => each === name);
    if (member === undefined) {
      const hint = sign < 1 ? '' : didYouMean(name, MEMBERS);
      throw new UsageError(
        `Invalid ${owner}: expected ${MEMBERS.map((each) => `${each}=`).join(', ')}.${hint} Example: ${HOW}`,
      );
    }
    members.set(member, settings.secret(word.slice(sign + 1), `${owner}: ${member}`));
  }
  return [scheme, toCredential(members, owner)];
}

function toCredential(members: ReadonlyMap<Member, string>, owner: string): ClientCredential {
  const [clientId, clientSecret] = [members.get('id'), members.get('secret')];
  if (clientId === undefined || clientSecret === undefined)
    throw new UsageError(`${owner}: id= and secret= are required. Example: ${HOW}`);
  const auth = members.get('auth');
  if (auth !== undefined && auth !== 'basic' && auth !== 'post')
    throw new UsageError(`${owner}: auth= must be basic or post.`);
  const [tokenUrl, scopes] = [members.get('token-url'), members.get('scopes')];
  const [audience, resource] = [members.get('audience'), members.get('resource')];
  return {
    clientId,
    clientSecret,
    ...(tokenUrl === undefined ? {} : { tokenUrl }),
    ...(scopes === undefined ? {} : { scopes: scopes.split(',').filter((scope) => scope !== '') }),
    ...(audience === undefined ? {} : { audience }),
    ...(resource === undefined ? {} : { resource }),
    ...(auth === undefined ? {} : { clientAuthentication: auth }),
  };
}
