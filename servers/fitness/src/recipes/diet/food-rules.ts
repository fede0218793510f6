import type { DietFinding, Restriction } from './restriction.ts';

/** A rule about foods. It holds if the group is listed or a word is found, and no word of `except` is found. */
export interface FoodRule {
  readonly groups?: readonly string[];
  readonly words?: RegExp;
  readonly except?: RegExp;
  readonly verdict: DietFinding['verdict'];
  readonly reason: string;
}

/** Sugars, syrups, leavening and the like: single foods in groups of ready-made ones. */
const PLAIN =
  /^(honey|molasses|(granulated|brown|maple|turbinado) sugar|sugar, powdered|(maple|corn|malt|sorghum|cane|grenadine|fruit) syrup|jams and preserves|jellies|marmalade|yeast|baking powder|baking soda|cream of tartar|pectin|agave.*|salsa|tomato sauce|soy sauce)(,|$)/;

const PLANT =
  /meatless|vegetarian|vegan|veggie|meat extender|imitation bacon bits|without meat|no meat|soyburger/;

const MEAT: FoodRule = {
  groups: ['poultry', 'beef', 'pork', 'lamb_veal_game', 'cold_cuts'],
  words:
    /\b(beef|chicken|turkey|pork|ham|bacon|lamb|veal|venison|duck|goose|meat|meats|meatballs?|sausages?|frankfurters?|pepperoni|salami|bologna|chorizo|hamburger|cheeseburger|hotdog|franks|steak|lard|tallow|suet|bison|liver|corndog|pate)\b/,
  except: new RegExp(
    `${PLANT.source}|coconut meat|^egg (duck|goose|quail|turkey)|hamburger or hotdog|hamburger relish|relish, hamburger|steak sauce|steak fries`,
  ),
  verdict: 'violates',
  reason: 'is meat or has meat or animal fat',
};

const FISH: FoodRule = {
  groups: ['fish_seafood'],
  words:
    /\b(fish|anchov(y|ies)|tuna|salmon|shrimps?|crabs?|clams?|oysters?|lobster|cod|sardines?|caviar|worcestershire)\b/,
  except: new RegExp(`${PLANT.source}|vegetable oyster|oyster mushrooms?|mushrooms, oyster|oyster crackers`),
  verdict: 'violates',
  reason: 'is fish or seafood, or has it',
};

const GELATIN: FoodRule = {
  words: /\b(gelatins?|marshmallows?|gumdrops|gummy|rennin)\b/,
  verdict: 'violates',
  reason: 'has gelatin or rennet of animals',
};

const STOCK: FoodRule = {
  groups: ['soups_sauces', 'meals'],
  except:
    /\b(vegetable broth|tomato sauce|salsa|soy sauce|pasta sauce|hot sauce|pepper sauce|teriyaki|hoisin|barbecue|guacamole|mole poblano|cranberry)\b/,
  verdict: 'unclear',
  reason: 'is a ready-made soup, sauce or meal, which may have stock or other animal parts',
};

const DAIRY_WORDS =
  /\b(milk|cheese|butter|cream|creamed|yogurt|yoghurt|whey|casein|buttermilk|ghee|custard|kefir|pudding|queso|cheeseburger|pizza|lasagna|ravioli|half and half|milkshakes?|caramels?|frosted|alfredo)\b/;

/** Milk and butter of plants, and dishes named after them. */
const NO_DAIRY =
  /\b(almond milk|soymilk|soy milk|coconut (milk|cream|meat)|rice milk|rice drink|cream soda|(peanut|almond|cashew|sesame|sunflower seed|cocoa|apple|nut|soy|tree) butter|butter (beans|lettuce)|cream of (tartar|wheat|rice)|nondairy|non-?dairy|tofu|curd cheese|dairy-free|without milk|cream style|nutmeg butter)\b/;

const DAIRY: FoodRule = { groups: ['dairy_eggs'], words: DAIRY_WORDS, except: new RegExp(`${NO_DAIRY.source}|^egg\\b(?!nog)`), verdict: 'violates', reason: 'is milk or has milk' }; // prettier-ignore

const DAIRY_HIDDEN: FoodRule = {
  groups: ['sweets', 'bread_baking', 'meals', 'soups_sauces', 'snacks', 'cold_cuts'],
  words: /\b(shake|dressing|margarine|whitener|cocoa mix|smoothie)\b/,
  except: new RegExp(
    `${PLAIN.source}|^(pita bread|tortillas|dressing, home recipe|(italian|french) dressing|rice cakes|potato chips, (plain|salted)|vegetable broth|chicken broth|beef broth)`,
  ),
  verdict: 'unclear',
  reason: 'is ready-made and may have milk: read its label',
};

const EGG: FoodRule = {
  words:
    /\b(eggs?|mayonnaise|meringue|custard|omelet|eggnog|hollandaise|bearnaise|egg noodles|aioli|french toast|ladyfingers)\b/,
  except: /without egg|eggless|egg-free|tofu|no egg/,
  verdict: 'violates',
  reason: 'is egg or has egg',
};

const HONEY: FoodRule = { words: /\bhoney\b/, except: /honeydew|without honey/, verdict: 'violates', reason: 'is honey or has honey' }; // prettier-ignore

const EGG_HIDDEN: FoodRule = {
  groups: ['bread_baking', 'meals', 'sweets'],
  words: /\b(noodles|breaded|batter|dressing)\b/,
  except: new RegExp(
    `${PLAIN.source}|rice noodles|soba|somen|^(pita bread|tortillas|dressing, home recipe|(italian|french) dressing)`,
  ),
  verdict: 'unclear',
  reason: 'may have egg or milk: read its label',
};

const GLUTEN: FoodRule = {
  groups: ['bread_baking'],
  words:
    /\b(wheat|barley|rye|triticale|spelt|bulgur|couscous|semolina|seitan|gluten|farina|malt|malted|pasta|macaroni|spaghetti|lasagna|ravioli|noodles?|bread|breaded|crackers?|croutons|stuffing|pretzels?|beer|soy sauce made from soy and wheat|shoyu|flour|batter|cake|cookies?|pizza|dumplings?|tortellini|durum|kamut|graham|pie|pastry|bagels?|muffins?|biscuits?|burrito|sandwich|hamburger|cheeseburger|hotdog)\b/,
  except:
    /gluten-free|\b(rice|corn|potato|chickpea|soy|almond|peanut|sesame|sunflower|buckwheat|coconut|carob|arrowroot|millet|sorghum|amaranth|oat|cottonseed|teff|quinoa|mesquite) (flour|noodles)\b|rice noodles|tortillas.*, corn|buckwheat|corn tortilla|^(yeast|baking powder|baking soda|cream of tartar)(,|$)|rice cakes?|soba|\bpie filling|crab cakes?|corn flour|defatted|cellophane|long rice|spaghetti squash|breadfruit|hamburger relish|relish, hamburger|flour, (corn|rice)/,
  verdict: 'violates',
  reason: 'is made of wheat, barley or rye',
};

const GLUTEN_HIDDEN: FoodRule = {
  groups: ['soups_sauces', 'meals', 'cereals', 'snacks', 'cold_cuts'],
  words: /\b(oats?|oatmeal|granola|gravy|soy sauce|teriyaki|licorice|bran)\b/,
  except: /gluten-free|salsa|tomato sauce|rice bran|corn bran|plain popcorn|tamari|rice, puffed|puffed rice/,
  verdict: 'unclear',
  reason: 'may have wheat or barley (oats by contamination, ready-made foods as an additive): read its label',
};

const NUT: FoodRule = {
  words:
    /\b(nuts?|almonds?|walnuts?|cashews?|pecans?|hazelnuts?|filberts?|pistachios?|macadamias?|brazilnuts?|pine|pignolias?|pinons?|hickorynuts?|butternuts|beechnuts|chestnuts?|peanuts?|marzipan|praline|nougat|trail mix|pilinuts|mixed nuts|hazelnut)\b/,
  except:
    /water ?chestnuts?|waterchestnuts|chestnut mushrooms?|without (nuts|peanuts)|no nuts|pineapple|nutmeg|coconut|butternut squash|grape-?nuts|pine needles/,
  verdict: 'violates',
  reason: 'is a nut or a peanut, or has them',
};

const NUT_HIDDEN: FoodRule = {
  groups: ['sweets', 'snacks', 'cereals'],
  words: /\b(coconuts?|granola|chocolate|pesto)\b/,
  except: new RegExp(
    `${PLAIN.source}|popcorn|^potato chips|^oats|^rice cakes|^cocoa|^farina|^corn grits|^gelatin`,
  ),
  verdict: 'unclear',
  reason: 'is often made with nuts or beside them, or counts as a nut for some people: read its label',
};

const PALEO: readonly FoodRule[] = [
  { groups: ['grains_pasta', 'cereals', 'bread_baking'], words: /\b(rice|wheat|corn|oats?|barley|pasta|noodles|bread|quinoa|flour|popcorn|cornstarch)\b/, except: /cauliflower|baking soda|(almond|coconut|arrowroot) flour|breadfruit|cornish|corned|rice vinegar/, verdict: 'violates', reason: 'is a grain or made of grain' },
  { groups: ['legumes_soy'], words: /\b(beans?|lentils?|chickpeas?|peas|peanuts?|soy|soymilk|soybeans?|tofu|edamame|hummus|lima|cowpeas)\b/, except: /green beans|snow peas|coffee beans|cocoa beans|vanilla bean|bean sprouts|without peanuts/, verdict: 'violates', reason: 'is a legume or made of one' },
  { ...DAIRY },
  { groups: ['sweets'], words: /\b(sugar|candy|candies|corn syrup|cola|soda|sweetened|ice cream|jellies|jams?|aspartame|saccharin|sucralose)\b/, except: /^honey|^maple syrup|unsweetened|not sweetened|sugar-apples|no sugar added|without added sugar|sugar snap|club soda|baking soda/, verdict: 'violates', reason: 'is refined sugar or sweetener, or has it' },
  { words: /\b((soybean|corn|canola|cottonseed|safflower|sunflower|vegetable|peanut|grapeseed|rice bran) oil|margarine|shortening|spread)\b/, verdict: 'violates', reason: 'is a refined seed oil or made of it' },
  { groups: ['cold_cuts', 'snacks', 'meals', 'soups_sauces'], except: /vegetable broth|chicken broth|beef broth|stock|salsa|guacamole|jerky/, verdict: 'unclear', reason: 'is processed food, which most definitions of paleo leave out' },
  { words: /\b(beer|wine|vodka|gin|rum|whiskey|liqueur|daiquiri|pina colada|malt liquor)\b/, except: /vinegar/, verdict: 'unclear', reason: 'is alcohol, which most definitions of paleo leave out' },
]; // prettier-ignore

/** The rules of each restriction; the first that holds decides. `keto` is a rule about the whole recipe. */
export const FOOD_RULES: Readonly<Record<Exclude<Restriction, 'keto'>, readonly FoodRule[]>> = {
  vegetarian: [MEAT, FISH, GELATIN, STOCK],
  vegan: [MEAT, FISH, GELATIN, DAIRY, EGG, HONEY, STOCK, EGG_HIDDEN, DAIRY_HIDDEN],
  gluten_free: [GLUTEN, GLUTEN_HIDDEN],
  dairy_free: [DAIRY, DAIRY_HIDDEN],
  nut_free: [NUT, NUT_HIDDEN],
  paleo: PALEO,
};
