/** Replacement for a secret in a text. */
export const REDACTED = '[redacted]';

/** Names of secrets, or ends of such names. */
const NAMES = String.raw`(?:password|passwd|passphrase|secret|token|api[-_]?key|access[-_]?key|secret[-_]?key|private[-_]?key|authorization|credentials?)`;

/** A quotation mark, also one that is escaped in JSON inside of JSON. */
const QUOTE = String.raw`\\{0,3}["']`;
const QUOTED = String.raw`\\{0,3}(?:"[^"]*(?:"|$)|'[^']*(?:'|$))`;

/**
 * Every pattern is anchored or bounded, so that no text causes repeated scanning of the same characters. A text may be cut in the middle of
 * a secret: the end of the text then ends the secret.
 */
const SECRET_PATTERNS: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
  // Whole credentials first, so that the key=value rule below does not leave the rest of one.
  [/\b(authorization["']?\s{0,9}[:=]\s{0,9}["']?)(?:Digest\b.*|[\w-]+[ \t]+[^\s"',;]+)/gi, `$1${REDACTED}`],
  [/\b(Bearer)\s+[\w.~+/=-]+/gi, `$1 ${REDACTED}`],
  // "Basic" is also an ordinary word; encoded credentials have capitals, digits or padding.
  [/\b([Bb]asic)\s+(?=[a-z+/]{0,64}[A-Z0-9=])[\w+/=-]{6,}/g, `$1 ${REDACTED}`],
  [/(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g, REDACTED],
  [
    /(?<![A-Za-z0-9])(?:(?:sk|pk|rk)[-_]|gh[opsu]_|ghr_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza)[-_A-Za-z0-9]{12,}/g,
    REDACTED,
  ],
  [/(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/]+@/gi, `$1${REDACTED}@`],
  [/(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/:@]+:[^\s/@]+\u2026$/gi, `$1${REDACTED}…`],
  // Headers of a request: a cookie may have several parts, and names and values may be elements of one array (`rawHeaders`).
  // defence: cookies-in-errors
  [
    new RegExp(
      String.raw`\b((?:set-)?cookie(?:${QUOTE})?\s{0,9}[:=]\s{0,9})(?:${QUOTED}|\[[^\]]*(?:\]|$)|[^\s=;,"'\\]+=[^\r\n"'}]*)`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  [new RegExp(String.raw`((?:${NAMES}|cookie)${QUOTE}\s{0,9},\s{0,9})${QUOTED}`, 'gi'), `$1${REDACTED}`],
  // Codes and signatures in the query of a URL.
  [/([?&](?:code|sig|(?:x-\w{1,9}-)?signature)=)[^\s&#"'\\]+/gi, `$1${REDACTED}`],
  [
    new RegExp(String.raw`(${NAMES}(?:${QUOTE})?\s{0,9}[:=]\s{0,9})(?:${QUOTED}|[^\s,;&}]+)`, 'gi'),
    `$1${REDACTED}`,
  ],
];

const INTERNAL_PATTERNS: readonly [RegExp, string][] = [
  [/^[ \t]+at .+$/gm, ''],
  [/\bfile:\/\/\/\S+/g, '[path]'],
  [/(^|[\s"'`(=:[<,])(?:\/[\w.@~+-]+){2,}\/?/g, '$1[path]'],
  // A space belongs to a Windows path if another separator follows it.
  [/\b[A-Za-z]:\\(?:[^\s"'`)\\]+(?: [^\s"'`)\\]+)*\\)*[^\s"'`)\\]*/g, '[path]'],
];

/** Maximum length that is searched for secrets; longer texts are cut first. */
const MAX_LENGTH = 10_000;

/** The text without credentials. */
export function redactSecrets(text: string): string {
  return replaceAll(cut(text), SECRET_PATTERNS);
}

/** The text without credentials, stack frames and file paths. */
export function redactInternals(text: string): string {
  return replaceAll(redactSecrets(text), INTERNAL_PATTERNS).trim();
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function replaceAll(text: string, patterns: readonly [RegExp, string][]): string {
  let result = text;
  for (const [pattern, replacement] of patterns) result = result.replace(pattern, replacement);
  return result;
}
