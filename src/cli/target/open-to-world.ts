import type { AuthOptions } from '../../auth/protected-resource.ts';
import { JWT_DEFAULTS } from '../../auth/jwt.ts';
import { authSourceOf } from '../../config/auth/auth-source.ts';
import { toJwtConfig } from '../../config/auth/preset-options.ts';
import type { AuthConfig, VerifierConfig } from '../../config/file/auth-config.ts';
import type { TransportConfig } from '../../config/file/config-types.ts';
import { hasScopes } from '../../pipeline/tool/policy.ts';
import { guard } from '../../pipeline/visibility/guard.ts';
import type { ToolwrightServer } from '../../server/create-server.ts';
import { countOf } from '../terminal/terminal.ts';
import type { LoadedServer } from './target.ts';

/** A result of a check: its state, a sentence, and advice. */
export interface Finding {
  readonly state: 'bad' | 'good' | 'odd';
  readonly what: string;
  readonly advice?: string;
}

type HttpTransport = Extract<TransportConfig, { readonly type: 'http' }>;

/** Warnings about the callers that a configuration lets in. */
export function checkOpenness({ server, transport, auth, principal }: LoadedServer): Finding[] {
  if (transport?.type !== 'http') {
    if (auth === undefined) return [];
    const caller = principal === undefined ? 'anonymous' : `the principal "${principal.id}"`;
    return [
      note(
        `auth has no effect over stdio: every caller is ${caller}`,
        'Set transport: { type: http } to use it, or principal for the caller over stdio.',
      ),
    ];
  }
  return [
    ...checkReach(transport, auth),
    ...(auth === undefined ? [] : checkAuth(auth, transport)),
    ...checkVerifiers(authSourceOf(server)?.auth as AuthConfig | undefined),
    ...(auth === undefined || auth.anonymous === true ? checkDestructive(server) : []),
  ];
}

/** A server at a URL that has answered without credentials. */
export function checkUrl(url: URL): Finding[] {
  if (isLocalHost(url.hostname)) return [];
  return [
    note(
      `${url.host} answers without authentication: every machine that can reach it can call it`,
      'Set auth where it is served: serveHttp(server, { auth }), or auth in its configuration.',
    ),
    ...(url.protocol === 'http:'
      ? [note(`${url.host} is called over http: requests can be read on the way`, 'Put TLS in front of it.')]
      : []),
  ];
}

/** The machines and the pages that can send requests. */
function checkReach(transport: HttpTransport, auth: AuthOptions | undefined): Finding[] {
  const { host = '127.0.0.1', allowedHosts = [], allowedOrigins = [] } = transport;
  const names = allowedHosts.filter((name) => !isLocalHost(name.replace(/:\d+$/, '')));
  const isOpen = !isLocalHost(host) || names.length > 0;
  const findings: Finding[] = [];
  if (isOpen && auth === undefined)
    findings.push(
      note(
        `Other machines can call this server without authentication (${isLocalHost(host) ? `allowedHosts: ${names.join(', ')}` : `host: ${host}`})`,
        'Set auth in the configuration, or serve it on this machine alone: host: 127.0.0.1 without allowedHosts.',
      ),
    );
  for (const origin of allowedOrigins.filter(isPlainHttp))
    findings.push(
      note(
        `allowedOrigins has ${origin}: others can change pages of an http: origin on the way, and call this server with them`,
        'Name an https: origin.',
      ),
    );
  if (allowedOrigins.length > 0 && auth === undefined)
    findings.push(
      note(
        `Pages of ${allowedOrigins.join(', ')} can call this server without authentication, in the browser of anyone who opens them`,
        'Set auth in the configuration, or remove allowedOrigins.',
      ),
    );
  return findings;
}

function checkAuth(auth: AuthOptions, { path = '/mcp' }: HttpTransport): Finding[] {
  const resource = auth.resource ?? auth.verify.audience ?? '';
  const findings: Finding[] = [{ state: 'good', what: `Authentication for ${resource}` }];
  if (auth.anonymous === true)
    findings.push(
      note(
        'Requests without credentials are served as the anonymous caller (auth.anonymous: true)',
        'Remove anonymous, or check what anonymous callers can reach: toolwright list',
      ),
    );
  if (auth.resource === undefined)
    findings.push(
      note(
        `auth.resource is not set: the audience ${resource} is used in the metadata`,
        'Set resource to the URL of the MCP endpoint as clients know it.',
      ),
    );
  if (isPlainHttp(resource))
    findings.push(
      note(
        `The resource ${resource} has no TLS: tokens can be read on the way`,
        'Put TLS in front of this server, and set resource to the https: URL.',
      ),
    );
  const { pathname } = new URL(resource);
  if (pathname !== path)
    findings.push(
      note(
        `The path of the resource is ${pathname}, and this server responds at ${path}`,
        `Set transport.path to ${pathname}, unless a proxy rewrites it.`,
      ),
    );
  return findings;
}

/** The kinds of credentials of a configuration, and how long each is believed. A file of code is not read. */
function checkVerifiers(config: AuthConfig | undefined): Finding[] {
  if (config === undefined) return [];
  return ('anyOf' in config ? config.anyOf : [config]).flatMap(checkVerifier);
}

function checkVerifier(config: VerifierConfig): Finding[] {
  if ('jwt' in config || 'preset' in config) {
    const { issuer, cacheMs = JWT_DEFAULTS.cacheMs } =
      'jwt' in config ? config.jwt : toJwtConfig(config.preset);
    return [cacheFinding(`JWTs of ${issuer}`, cacheMs), ...checkIssuer(issuer)];
  }
  if ('introspection' in config) {
    const { issuer, cacheMs = 0 } = config.introspection;
    return [cacheFinding(`Tokens of ${issuer}`, cacheMs), ...checkIssuer(issuer)];
  }
  if ('apiKeys' in config) return [cacheFinding('API keys', 0)];
  const wide = config.trustedHeaders.proxies.filter((range) => range.endsWith('/0'));
  return [
    wide.length === 0
      ? { state: 'good', what: `Headers of ${config.trustedHeaders.proxies.join(', ')} name the principal` }
      : note(
          `trustedHeaders believes every address (${wide.join(', ')}): any caller can name any principal`,
          'Name the addresses of the proxy alone.',
        ),
  ];
}

/** Above this, a note. */
const LONG_CACHE_MS = 60_000;

function cacheFinding(credentials: string, cacheMs: number): Finding {
  if (cacheMs === 0) return { state: 'good', what: `${credentials} are verified with every request` };
  const what = `${credentials} are cached: one that was revoked is accepted for up to ${cacheMs / 1000} s`;
  return cacheMs > LONG_CACHE_MS
    ? note(what, 'Set a smaller cacheMs; 0 asks with every request.')
    : { state: 'good', what };
}

function checkIssuer(issuer: string): Finding[] {
  return isPlainHttp(issuer)
    ? [note(`The issuer ${issuer} has no TLS: its keys can be exchanged on the way`, 'Use its https: URL.')]
    : [];
}

/** Maximum number of tools that a sentence names. */
const MAX_NAMED = 5;

function checkDestructive({ tools }: ToolwrightServer): Finding[] {
  const names: string[] = [];
  tools?.surface({ exposure: 'flat' }).listAll(({ tool }) => {
    const { subject } = tool;
    if (subject.isDestructive && hasScopes(subject.scopes, {}) && guard(tool, {})) names.push(subject.name);
    return false;
  });
  if (names.length === 0) return [];
  const shown = names.slice(0, MAX_NAMED).map((name) => `"${name}"`);
  const more = names.length > MAX_NAMED ? ', …' : '';
  return [
    note(
      `Anonymous callers can call ${countOf(names.length, 'destructive tool')} (${shown.join(', ')}${more})`,
      'Set auth, give them scopes, or add a rule: policy: { rules: [{ readOnly: false, authenticated: true }] }',
    ),
  ];
}

function note(what: string, advice: string): Finding {
  return { state: 'odd', what, advice };
}

function isPlainHttp(url: string): boolean {
  return /^http:/i.test(url) && URL.canParse(url) && !isLocalHost(new URL(url).hostname);
}

/** Whether a host is this machine alone. */
function isLocalHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
