/** What replaces a secret in a text. */
export const REDACTED = '[redacted]';

const SECRET_PATTERNS: readonly [RegExp, string][] = [
  // Whole credentials first, so that the key=value rule below does not leave the tail of one behind.
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${REDACTED}`],
  [/\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g, REDACTED],
  [/\b(?:sk|pk|rk|ghp|gho|ghs|xox[abp]|AKIA)[-_A-Za-z0-9]{12,}/g, REDACTED],
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@:]+:[^\s/@]+@/gi, `$1${REDACTED}@`],
  [
    /(["']?\b[\w-]*(?:password|passwd|secret|token|api[-_]?key|authorization|credential|private[-_]?key)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&}]+)/gi,
    `$1${REDACTED}`,
  ],
];

const INTERNAL_PATTERNS: readonly [RegExp, string][] = [
  [/^\s+at .+$/gm, ''],
  [/\bfile:\/\/\/\S+/g, '[path]'],
  [/(^|[\s"'`(=:])(?:\/[\w.@~-]+){2,}\/?/g, '$1[path]'],
  [/\b[A-Za-z]:\\[^\s"'`)]+/g, '[path]'],
];

/** Long texts are cut before the patterns run, so that a hostile message cannot cost more than a moment. */
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
