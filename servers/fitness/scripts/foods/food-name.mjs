import {
  BEFORE_STEM,
  DROPPED,
  LAST,
  NOUNS,
  PLAIN_WORDS,
  PROPER,
  REWORDED,
  SHELVES,
  STATE,
  STEMS,
} from './name-rules.mjs';

const METHODS =
  /^(boiled|baked|roasted|fried|braised|broiled|grilled|stewed|steamed|microwaved|pan-|oven|simmered|stir-fried|sauteed|rotisserie|dry heat|moist heat|fast|slow|breaded|poached|scrambled|hard-boiled|omelet|batter|blackened)/;

/**
 * The plain name of a food, derived from its name in SR28, and other names of it that stood in brackets.
 * "Chicken, broilers or fryers, breast, meat only, cooked, roasted" becomes "chicken breast, roasted, without skin".
 */
export function toFoodName(source, group) {
  const { text, aliases } = takeBrackets(source.toLowerCase());
  const poultry = group === 'Poultry Products';
  const parts = reword(splitParts(text), poultry);
  const head = takeHead(parts);
  const last = parts.filter((part) => LAST.test(part));
  const rest = parts.filter((part) => !LAST.test(part));
  let name = unique([head, ...rest, ...last]).join(', ');
  for (const [pattern, plain] of PLAIN_WORDS) name = name.replace(pattern, plain);
  name = name.replaceAll('$2', '').replace(/\s+/g, ' ').trim();
  return {
    name: name.replace(PROPER, (word) =>
      word.startsWith('vitamin')
        ? word.replace(/.$/, (letter) => letter.toUpperCase())
        : word.replace(/\b\w/g, (letter) => letter.toUpperCase()),
    ),
    aliases,
  };
}

/** Removes brackets. Short ones without figures are other names of the food: "(garbanzo beans, bengal gram)". */
function takeBrackets(text) {
  const aliases = [];
  const rest = text.replace(/\s*\(([^()]*)\)/g, (_, inner) => {
    if (
      /^(includes|formerly|may|not|all|with|or|alaska|northern|n x|from|partially|about|approximately|made|hydrogenated|un)/.test(
        inner,
      )
    )
      return '';
    if (/\d/.test(inner)) return ` ${inner}`;
    if (inner.split(/[\s,]+/).length <= 4) aliases.push(inner.replaceAll(/\s+or\s+/g, ', '));
    return '';
  });
  return { text: rest.replaceAll(/[()"*]/g, ''), aliases: aliases.join(', ') };
}

/** Splits at commas that are not inside a number. */
function splitParts(text) {
  return text
    .split(/,(?!\d)|;/)
    .map((part) => part.trim().replaceAll(/\s+/g, ' ').replace(/\.$/, ''))
    .filter((part) => part !== '');
}

function reword(parts, poultry) {
  const methods = parts.some((part) => METHODS.test(part));
  const cooked = parts.includes('cooked');
  const result = parts
    .map((part) => (poultry && part === 'meat only' ? 'without skin' : part))
    .filter((part, index) =>
      index === 0 || part === 'cooked' ? !(part === 'cooked' && methods) : !DROPPED.test(part),
    )
    .map((part) => REWORDED.get(part) ?? part)
    .filter((part) => part !== '');
  // Without a method, or with "dry heat" as the only one, the state itself is the preparation.
  if (
    cooked &&
    !result.some((part) => METHODS.test(part) || part === 'cooked' || part === 'steamed or boiled')
  )
    result.push('cooked');
  return result.filter(
    (part) =>
      !(part === 'dark meat' || part === 'light meat') ||
      !result.some((other) => /^(thigh|drumstick|leg|wing|breast|back)/.test(other)),
  );
}

/** Takes the parts that make up the noun of the name. */
function takeHead(parts) {
  let head = parts.shift() ?? '';
  while (SHELVES.includes(head) && parts.length > 0) head = parts.shift();
  const next = parts[0];
  if (next === undefined || LAST.test(next)) return head;
  if (STEMS.includes(head)) return joinStem(head, parts);
  const noun = NOUNS.get(head);
  if (noun === undefined || STATE.test(next) || next.split(' ').length > 3) return noun ?? head;
  parts.shift();
  // "Cheese, cream" and "Cookies, brownies": the second part may hold the noun already.
  if (next.includes(noun) || noun.includes(next)) return next.length > noun.length ? next : noun;
  const second = parts[0];
  if (second !== undefined && TWO_PART.has(noun) && /^[a-z-]+$/.test(second) && !STATE.test(second)) {
    parts.shift();
    return noun === 'squash' ? toSquash(second) : `${second} ${next === 'sweet' ? 'bell' : next} ${noun}`;
  }
  return `${next} ${noun}`;
}

/** Nouns with two parts of their kind: "Peppers, sweet, red" and "Squash, winter, butternut". */
const TWO_PART = new Set(['peppers', 'squash']);

function toSquash(kind) {
  return kind === 'zucchini' ? kind : `${kind} squash`;
}

function joinStem(stem, parts) {
  if (STATE.test(parts[0]) && !BEFORE_STEM.test(parts[0])) {
    if (!(stem === 'pork' && ['cured', 'fresh'].includes(parts[0]))) return stem;
  }
  const next = parts.shift();
  if (next === 'cured') return takeCured(parts);
  if (next.split(' ').length > 4) {
    parts.unshift(next);
    return stem;
  }
  if (next.includes(stem)) return next;
  return BEFORE_STEM.test(next) && stem !== 'egg' ? `${next} ${stem}` : `${stem} ${next}`;
}

function takeCured(parts) {
  const cut = parts.shift() ?? 'cured pork';
  return /bacon|^ham|pork/.test(cut) ? cut : `cured pork ${cut}`;
}

/** Each part once; "boiled" is left out beside "boiled in the skin", and "uncooked" beside "raw". */
function unique(parts) {
  const once = [...new Set(parts)];
  return once.filter(
    (part) =>
      !once.some((other) => other.startsWith(`${part} `)) && !(part === 'uncooked' && once.includes('raw')),
  );
}
