const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['halves', 'half'],
  ['leaves', 'leaf'],
  ['loaves', 'loaf'],
  ['molasses', 'molasses'],
]);

/** Words in index form: lower case, without accents, singular. Names and queries both use it, so that they meet. */
export function toWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['’]s?\b/g, '');
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map(toSingular);
}

function toSingular(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:oes|shes|ches|xes)$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}
