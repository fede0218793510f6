/**
 * Options by the names that they have in code, and what they are called here. Messages of the import name the former; on a command line
 * the latter are of help.
 */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/Add "([^"]{1,300})" to allowPrivate if it is meant\./g, 'If it is meant: --allow-private $1'],
  [/^allowPrivate takes/, '--allow-private takes'],
  [/\bbaseUrl \(--base-url, API_BASE_URL\)/g, '--base-url (API_BASE_URL)'],
  [/^serverVariables: /, '--server-variable: '],
  [/\bserverVariables\.([\w-]{1,100})/g, '--server-variable {name}$1=\u2026'],
  [/\bgive credentials\.([^\s:]{1,200})/g, 'give --credential {name}$1=env:NAME'],
  [/^credentials: /, '--credential: '],
  [/^credentials\.([^\s:]{1,200})/, '--credential {name}$1'],
  [/, or an AuthProvider\.$/, '.'],
  [/ Give an AuthProvider\.$/, ' Give its header with --headers, or write a server in code.'],
  [/use headers, or an authProvider/g, 'use --headers'],
  [/give it in headers, or by an authProvider/g, 'give it with --headers'],
  [/the option tls of outbound requests/g, '--client-cert and --client-key'],
  [/which is not among origins/g, 'which --credential-origin does not name'],
  [
    /give tokenUrl in the credential, or add "([^"]{1,300})" to origins/g,
    'give token-url=, or --credential-origin $1',
  ],
  [/^Outbound requests: tls: ca must be/, '--ca-cert must be'],
  [/^Outbound requests: tls: cert and key cannot/, '--client-cert and --client-key cannot'],
  [/references\.origins/g, '--ref-origin'],
  [/references\.roots/g, '--ref-root'],
  [/allowedHosts: \['api\.example\.com'\]/g, '--allow-host api.example.com'],
  [/\bincludeTools\b/g, '--tool'],
  [/\bincludeTags\b/g, '--tag'],
  [/\bincludeResources\b/g, '--resource'],
  [/\bincludeOperations\b/g, '--operation'],
  [/\bincludeMethods\b/g, '--method'],
  [/\bexcludeTags\b/g, '--exclude-tag'],
  [/\bexcludeTools\b/g, '--exclude-tool'],
  [/\bexcludePaths\b/g, '--exclude-path'],
];

/** The message in the words of the command line; with the name of the document where it has one. */
export function inFlags(message: string, name?: string): string {
  const prefix = name === undefined ? '' : `${name}.`;
  return WORDS.reduce(
    (text, [option, flag]) => text.replace(option, flag.replace('{name}', prefix)),
    message,
  );
}
