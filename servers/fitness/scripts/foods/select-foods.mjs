import { toFoodName } from './food-name.mjs';

/** Our groups, by those of SR28. A group that is not named here is left out. */
const GROUPS = new Map([
  ['Dairy and Egg Products', 'dairy_eggs'],
  ['Poultry Products', 'poultry'],
  ['Beef Products', 'beef'],
  ['Pork Products', 'pork'],
  ['Lamb, Veal, and Game Products', 'lamb_veal_game'],
  ['Sausages and Luncheon Meats', 'cold_cuts'],
  ['Finfish and Shellfish Products', 'fish_seafood'],
  ['Vegetables and Vegetable Products', 'vegetables'],
  ['Fruits and Fruit Juices', 'fruit'],
  ['Legumes and Legume Products', 'legumes_soy'],
  ['Nut and Seed Products', 'nuts_seeds'],
  ['Cereal Grains and Pasta', 'grains_pasta'],
  ['Breakfast Cereals', 'cereals'],
  ['Baked Products', 'bread_baking'],
  ['Fats and Oils', 'fats_oils'],
  ['Soups, Sauces, and Gravies', 'soups_sauces'],
  ['Spices and Herbs', 'herbs_spices'],
  ['Sweets', 'sweets'],
  ['Snacks', 'snacks'],
  ['Beverages', 'drinks'],
  ['Meals, Entrees, and Side Dishes', 'meals'],
  ['Fast Foods', 'meals'],
]);

/** Trade names are in capitals in SR28; the others are listed. BBQ and the like are not trade names. */
const TRADE =
  /\b(?!(?:BBQ|NFS|DHA|ARA|UHT|TVP|NLEA)\b)[A-Z][A-Z'&.-]{2,}\b|McD|Reddi|Clif|Propel|Post,|America's|Ben's|Kellogg|M&M|Udi|Rudi|Glutino|Vitasoy|Silk|Schar|Andrea|Mary's Gone|Campbell|Lean Pockets|Powerade|Natreon|Muscle Milk|Monster/;

/** Foods of industry, of one place or of too little use at a table. */
const UNCOMMON =
  /\b(industrial|imported|new zealand|australian|wagyu|aust\. |separable fat|seam fat|external fat|confection|shortening|lungs|spleen|pancreas|brain|thymus|tripe|mechanically|school lunch|emu|ostrich|navajo|alaska native|latino|incaparina|rennin|frozen novelties|dietetic|usda|\(n x|not manufactured|human|hydrogenated|lauric|substitute, liquid|chitterlings|jowl|bone marrow|tongue|feet|tail,|ears|snouts|backfat|leaf fat|raccoon|muskrat|opossum|squirrel|beaver|bear|seal|whale|turtle|single brand|not reconstituted|interlard|\d\d proof|from item|babyfood|high-? ?fructose|skin only|chicken, skin|turkey, skin|potatoes, raw, skin|vitamins a, b12|giblets|and neck|capons|stewing, |cornstarch, modified|formerly|added solution|extra heavy syrup|ham -- water|ham and water|ultraviolet|reduced vitamin|phosphorus)\b/i;

/** Parts of a name that differ between foods which are one food at a table: the first pattern that matches is preferred. */
const PREFERENCES = [
  /all grades/,
  /^(?!.*(unenriched|with salt|with added salt|imitation))/i,
  /trimmed to 1\/8"/,
  /trimmed to 0"/,
  /drained/i,
  /choice/,
  /select/,
];

/** More parts than this describe a food of a laboratory rather than one of a kitchen. */
const MAX_PARTS = 5;
const MAX_LENGTH = 75;
const REQUIRED = ['kcal', 'protein_g', 'fat_g', 'carbs_g'];

/** The common foods among those of SR28, each once, in the order of their ids. `data/README.md` states the rule in words. */
export function selectFoods(foods, portions) {
  const portionsOf = groupById(portions);
  const byName = new Map();
  for (const food of foods) {
    const group = GROUPS.get(food.group);
    const own = portionsOf.get(food.id);
    if (group === undefined || own === undefined || TRADE.test(food.name) || UNCOMMON.test(food.name))
      continue;
    if (food.group === 'Fast Foods' && !/^fast foods?,/i.test(food.name)) continue;
    if (REQUIRED.some((key) => food[key] === '')) continue;
    const { name, aliases } = toFoodName(food.name, food.group);
    if (name.split(', ').length > MAX_PARTS || name.length > MAX_LENGTH) continue;
    const candidate = { food, group, name, aliases, portions: own };
    const known = byName.get(name);
    if (known === undefined || isPreferred(candidate, known)) byName.set(name, candidate);
  }
  dropSaltedTwins(byName);
  return [...byName.values()].toSorted((a, b) => a.food.id.localeCompare(b.food.id));
}

function isPreferred(candidate, known) {
  for (const pattern of PREFERENCES) {
    const [left, right] = [pattern.test(candidate.food.name), pattern.test(known.food.name)];
    if (left !== right) return left;
  }
  const missing = ({ food }) => Object.values(food).filter((value) => value === '').length;
  return missing(candidate) < missing(known);
}

/** A food that differs only by added salt has the same use: salt is an ingredient of its own. */
function dropSaltedTwins(byName) {
  for (const name of byName.keys()) {
    if (name.endsWith(', with salt') && byName.has(name.slice(0, -', with salt'.length))) byName.delete(name);
  }
}

function groupById(rows) {
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(row.id);
    if (group === undefined) groups.set(row.id, [row]);
    else group.push(row);
  }
  return groups;
}
