/** Weights as portions: the server converts them itself. */
const WEIGHTS = /^(oz|lb|g|kg)$/;

/** Portions as `amount unit=grams`, separated by `|`, in the order of SR28. */
export function toPortions(portions) {
  const seen = new Map();
  for (const { amount, unit, grams } of portions) {
    const plain = toUnit(unit);
    const [count, weight] = [Number(amount), Number(grams)];
    if (WEIGHTS.test(plain) || !(count > 0) || !(weight > 0)) continue;
    const key = `${count} ${plain}`;
    if (!seen.has(key)) seen.set(key, weight);
  }
  // A food that is only weighed keeps its ounce, so that every food has a portion.
  if (seen.size === 0) return '1 oz=28.35';
  return [...seen].map(([key, weight]) => `${key}=${weight}`).join('|');
}

function toUnit(unit) {
  return unit
    .toLowerCase()
    .replaceAll(/[|=\t"]/g, (sign) => (sign === '"' ? ' in' : ' '))
    .replace(/\btablespoons?\b/, 'tbsp')
    .replace(/\bteaspoons?\b/, 'tsp')
    .replace(/\bcups\b/, 'cup')
    .replaceAll(/\(\s*1 nlea serving\s*\)|\(1 serving\)|, nfs\b/g, '')
    .replace(/^nlea serving$/, 'serving')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
