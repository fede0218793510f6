/** Maximum number of characters that are read; names are cut much shorter. */
const MAX_READ = 1024;

/**
 * Replaces every run of forbidden characters with one `_`, without `_` at the ends; accents are removed first. A name without forbidden
 * characters stays unchanged, so that an `operationId` keeps its name.
 */
export function toSafeName(name: string, forbidden: RegExp): string {
  if (name.search(forbidden) === -1) return name;
  const plain = name.slice(0, MAX_READ).normalize('NFKD').replace(/\p{M}/gu, '');
  return trimUnderscores(plain.replace(forbidden, '_').replace(/_+/g, '_'));
}

/** Removes `_` at the ends. */
export function trimUnderscores(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '_' && start < end) start += 1;
  while (text[end - 1] === '_' && start < end) end -= 1;
  return text.slice(start, end);
}

/** The beginning of a name, up to the end of a word if that drops less than half of it. */
export function cutName(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  if (maxLength < 1) return '';
  for (let end = maxLength; end > maxLength / 2; end -= 1) {
    if (isWordStart(name, end)) return trimEnding(name.slice(0, end));
  }
  return trimEnding(name.slice(0, maxLength));
}

function isWordStart(name: string, at: number): boolean {
  const [before = '', here = ''] = [name[at - 1], name[at]];
  return isSeparator(here) || isSeparator(before) || (isCapital(here) && !isCapital(before));
}

function isSeparator(character: string): boolean {
  return character === '_' || character === '-' || character === '.';
}

function isCapital(character: string): boolean {
  return character >= 'A' && character <= 'Z';
}

function trimEnding(name: string): string {
  let end = name.length;
  while (end > 0 && isSeparator(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end);
}
