type Row = Readonly<Record<string, string>>;

interface SelectedFood {
  readonly food: Row;
  readonly group: string;
  readonly name: string;
  readonly aliases: string;
  readonly portions: readonly Row[];
}

export function parseCsv(text: string): Row[];
export function toFoodName(source: string, group: string): { name: string; aliases: string };
export function formatFoods(foods: readonly SelectedFood[]): string;
export function toPortions(portions: readonly Row[]): string;
export function selectFoods(foods: readonly Row[], portions: readonly Row[]): SelectedFood[];
