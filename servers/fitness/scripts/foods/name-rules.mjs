/** The tables behind `food-name.mjs`. Each entry is written as it appears in SR28, in lower case. */

/** First parts that only name a shelf: the next part names the food. */
export const SHELVES = [
  'spices', 'nuts', 'seeds', 'fish', 'crustaceans', 'mollusks', 'cereals', 'cereals ready-to-eat', 'candies', 'snacks', 'snack',
  'beverages', 'beverage', 'alcoholic beverage', 'alcoholic beverages', 'carbonated beverage', 'game meat',
  'fast foods', 'fast food', 'desserts', 'leavening agents', 'melons', 'frozen novelties', 'sweeteners', 'sweetener',
  'formulated bar', 'pizza chain',
]; // prettier-ignore

/** First parts that a second part describes: "Cheese, cheddar" becomes "cheddar cheese". */
export const NOUNS = new Map([
  ...[
    'bread', 'rolls', 'cheese', 'milk', 'yogurt', 'oil', 'rice', 'beans', 'soup', 'sauce', 'gravy', 'cookies', 'cake', 'pie',
    'crackers', 'muffins', 'bagels', 'noodles', 'cabbage', 'lettuce', 'onions', 'mushrooms', 'peas', 'potatoes', 'tomatoes',
    'squash', 'coffee', 'tea', 'wine', 'beer', 'vinegar', 'mustard', 'cocoa', 'salmon', 'cod', 'tuna', 'trout', 'halibut', 'herring',
    'mackerel', 'crab', 'bass', 'catfish', 'pollock', 'sausage', 'peppers', 'cream', 'corn', 'tortillas', 'doughnuts', 'waffles', 'pancakes',
    'croissants', 'biscuits', 'chard', 'radishes', 'plums', 'cherries', 'oranges', 'pears', 'popcorn', 'danish pastry', 'wheat flour',
    'rye flour', 'rice flour', 'syrup', 'shortening', 'fat', 'butter', 'stuffing', 'dip', 'salt', 'seaweed',
    'cornmeal', 'chocolate', 'bologna', 'salami', 'bratwurst', 'frankfurter', 'pastrami', 'puff pastry', 'lobster', 'granola bars', 'energy drink',
    'drum', 'perch', 'snapper', 'oyster', 'mussel', 'jam', 'sunfish', 'sucker', 'shad', 'pout', 'pike', 'smelt', 'roughy', 'pompano', 'cress',
    'sugar', 'fudge', 'nectar', 'grapefruit', 'raisins', 'figs', 'chicory', 'chrysanthemum', 'pudding', 'ground meat',
  ].map((noun) => [noun, noun]),
  ['syrups', 'syrup'], ['puddings', 'pudding'], ['ice creams', 'ice cream'], ['frozen yogurts', 'frozen yogurt'], ['sugars', 'sugar'],
  ['frostings', 'frosting'], ['toppings', 'topping'], ['salad dressing', 'dressing'], ['pie fillings', 'pie filling'],
  ['fruit butters', 'butter'], ['gelatin desserts', 'gelatin dessert'], ['gelatins', 'gelatin'], ['egg custards', 'egg custard'], ['margarine-like', 'spread'],
]); // prettier-ignore

/** First parts that join a second part after them: "Beef, chuck" becomes "beef chuck". */
export const STEMS = [
  'chicken',
  'turkey',
  'duck',
  'goose',
  'beef',
  'pork',
  'lamb',
  'veal',
  'bison',
  'egg',
  'eggs',
  'ostrich',
  'emu',
  'carbonated',
];

/** Second parts that belong before a stem: "Beef, ground" becomes "ground beef". */
export const BEFORE_STEM = /^(ground|canned|whole|wild|domesticated|scrambled|dried|dehydrated)\b/;

/** A part that says how a food is kept or prepared, never of which kind it is. */
export const STATE =
  /^(raw|brewed|bleached|spreadable|cooked|canned|frozen|dried|dry|fresh|boiled|baked|roasted|fried|prepared|heated|unheated|unprepared|uncooked|dehydrated|powder(ed)?|pickled|smoked|braised|broiled|grilled|stewed|steamed|microwaved|toasted|sprouted|bottled|condensed|ready|commercial|home|with|without|from|made|includes?|instant|liquid|salted|unsalted|sweetened|unsweetened|enriched|unenriched|refrigerated|low|reduced|no|peeled|mixed species|all|shredded|ground|flesh|skin|light,|fat|imitation|pan-|mashed|candied|restaurant|plain or|hash|french fried|red and|crumbles|tops|in shell|au gratin|scalloped|puree|paste|sauce|juice|powder|pasteurized process|\d)/;

/** Parts that tell nothing to a reader. A part is dropped if it matches as a whole. */
export const DROPPED =
  /^(cooked|fresh|regular|regular pack|mature seeds|immature seeds|all varieties|all commercial varieties|all classes|all types|all areas|mixed species|unspecified|commercially prepared|commercial|fluid|broilers? or fryers|broiler|from whole|skinless|roasting|retail parts|from whole bird|from retail parts|separable lean and fat|trimmed to .* fat|all grades|choice|select|prime|composite of trimmed retail cuts|year round average|salad or cooking|dry heat|drained|drained solids|without salt|no salt added|without added salt|unenriched|enriched|bone-in|boneless|bone in|lip-on|lip off|sulfured|with added (vitamin|ascorbic).*|with vitamin.*|fortified with.*|with added calcium|vitamins a and d|not fortified|without added vitamin.*|with or without.*|includes .*|nlea serving|domesticated|unsalted|variety meats and by-products|flesh|kernels|table|distilled|prepared with tap water|all|shelf stable|shelf-stable|all styles|prepared-from-recipe|prepared from recipe|unspecified oils|purchased|domestic|white pekin|young duckling|common|not previously frozen|meat only|fortified|in hull|dry form|bulk|as purchased|skin not eaten|total can contents|cooked without salt|\d+ grams protein.*|(with|without) calcium propionate.*|large or small curd|cultured|prepared with calcium sulfate.*)$/;

/** Whole parts in plainer words. */
export const REWORDED = new Map([
  ['meat and skin', 'with skin'], ['separable lean only', 'lean only'], ['solids and liquids', 'with liquid'], ['moist heat', 'steamed or boiled'],
  ['nonfat', 'fat-free'], ['fat free', 'fat-free'], ['non-fat', 'fat-free'], ['lowfat', 'low-fat'], ['low fat', 'low-fat'],
  ['unprepared', 'uncooked'], ['flesh and skin', 'with skin'], ['cooked in skin', 'boiled in the skin'],
  ['cooked without skin', 'boiled without skin'], ['ready-to-serve', 'ready to eat'],
  ['ready-to-eat', 'ready to eat'], ['ready-to-drink', 'ready to drink'], ['salt added in processing', 'salted'],
  ['with salt added', 'with salt'], ['with added salt', 'with salt'], ['home-prepared', 'homemade'], ['home prepared', 'homemade'],
  ['prepared-from-recipe', 'homemade'], ['prepared from recipe', 'homemade'], ['prepared with equal volume water', 'made with water'],
  ['prepared with equal volume milk', 'made with milk'], ['prepared with water', 'made with water'], ['prepared with whole milk', 'made with whole milk'],
  ['prepared with 2% milk', 'made with 2% milk'], ['cooked with water', 'cooked'],
  ['including skin', 'with skin'], ['juice pack', 'in juice'], ['water pack', 'in water'], ['heavy syrup pack', 'in heavy syrup'],
  ['light syrup pack', 'in light syrup'], ['extra heavy syrup pack', 'in extra heavy syrup'], ['heavy syrup', 'in heavy syrup'], ['light syrup', 'in light syrup'],
]); // prettier-ignore

/** Parts that come last in our names, because they refine the food after its preparation. */
export const LAST =
  /^(without skin|with skin|lean only|with salt|with liquid|low sodium|reduced sodium|with peel)$/;

/** Words of whole names, replaced after all other rules. */
export const PLAIN_WORDS = [
  [/^whole-grain wheat flour/, 'whole-wheat flour'], [/^salsa sauce/, 'salsa'], [/^chicken cornish/, 'cornish'], [/^cocoa butter oil/, 'cocoa butter'], [/ from whole bird| from retail parts/, ''], [/^cos or romaine lettuce/, 'romaine lettuce'],
  [/^spring or scallions onions/, 'spring onions (scallions)'], [/^snap green beans|^snap beans, green/, 'green beans'], [/^snap (yellow )?beans/, '$1beans'],
  [/^sweet corn, (yellow|white)|^sweet (yellow|white) corn/, 'sweet corn, $1$2'],
  [/^chuck\b/, 'beef chuck'], [/ milkfat\b/, ' fat'], [/^nonfat milk/, 'fat-free milk'], [/^carbonated orange/, 'orange soda'], [/^carbonated /, ''], [/\. drained/, ''], [/^14 pizza/, 'pizza'], [/^mayonnaise dressing/, 'mayonnaise'],
  [/\bseed kernels\b/, 'seeds'], [/^fluid /, ''], [/^whole egg\b/, 'egg'], [/^egg whole\b/, 'egg'],
 
  [/\bdry roasted\b/, 'dry-roasted'], [/\boil roasted\b/, 'oil-roasted'],
  [/^edible-podded peas/, 'snow peas'],
  [/^sweet red cherries/, 'sweet cherries'], [/lean meat \/ (\d+)% fat/, 'lean / $1% fat'],
]; // prettier-ignore

/** Words written with a capital letter. */
export const PROPER =
  /\b(american|atlantic|pacific|alaska|greek|italian|french|swiss|mexican|chinese|japanese|european|spanish|canadian|california|florida|hawaii|asian|english|danish|german|polish|irish|thai|vienna|vietnamese|boston|brazil|brussels|worcestershire|caesar|dijon|russian|hass|fuji|gala|granny smith|red delicious|golden delicious|texas|arizona|valencia|latino|belgian|cornish|manhattan|new england|jerusalem|chardonnay|riesling|merlot|alfredo|parmesan|swedish|greenland|norwegian|bibb|cheddar(?= or american)|vitamin [a-e])\b/g;
