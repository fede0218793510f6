/** A household as data: its accounts, categories and habits. Amounts are in US dollars and scaled for plans in other currencies. */

export type AccountKey = 'checking' | 'savings' | 'cash' | 'card' | 'old' | 'car' | 'broker';

export interface SampleAccount {
  readonly key: AccountKey;
  readonly name: string;
  readonly type: string;
  readonly start: number;
  readonly linked?: true;
  readonly note?: string;
}

export const ACCOUNTS: readonly SampleAccount[] = [
  { key: 'checking', name: 'Everyday Checking', type: 'checking', start: 2400, linked: true },
  { key: 'savings', name: 'Rainy Day Savings', type: 'savings', start: 6500 },
  { key: 'cash', name: 'Wallet', type: 'cash', start: 80, note: 'Counted on Sundays' },
  { key: 'card', name: 'Visa Card', type: 'creditCard', start: -640, linked: true },
  {
    key: 'old',
    name: 'Old Checking',
    type: 'checking',
    start: 900,
    note: 'Closed after the move to the new bank',
  },
  { key: 'car', name: 'Car', type: 'otherAsset', start: 14_500 },
  { key: 'broker', name: 'Brokerage', type: 'otherAsset', start: 8200 },
];

/** A goal: type, target and, for goals with a date, the months until it. */
export type SampleGoal = readonly ['TB' | 'TBD' | 'MF' | 'NEED', number, number?];

/** Groups in their order, each with its categories. */
export const GROUPS: Readonly<Record<string, readonly (readonly [string, SampleGoal?])[]>> = {
  Housing: [['Rent', ['NEED', 1650]], ["Renter's Insurance", ['NEED', 18]], ['Home Maintenance']],
  Utilities: [
    ['Electricity', ['NEED', 110]],
    ['Water', ['NEED', 60]],
    ['Internet', ['NEED', 65]],
    ['Phone', ['NEED', 45]],
  ],
  Food: [
    ['Groceries', ['NEED', 700]],
    ['Dining Out', ['MF', 240]],
    ['Lunch at Work'],
    ['Coffee', ['MF', 60]],
  ],
  Transport: [
    ['Fuel', ['NEED', 130]],
    ['Public Transit'],
    ['Parking'],
    ['Car Insurance', ['NEED', 110]],
    ['Car Maintenance', ['TB', 600]],
  ],
  Household: [['Household Goods'], ['Furniture', ['TBD', 900, 8]], ['Electronics']],
  Health: [['Doctor'], ['Pharmacy'], ['Gym', ['NEED', 40]]],
  Family: [['Gifts', ['NEED', 60]], ['Childcare'], ['Pets', ['MF', 50]]],
  Personal: [['Clothing', ['MF', 80]], ['Haircut'], ['Hobbies']],
  Subscriptions: [
    ['Streaming', ['NEED', 16]],
    ['Music', ['NEED', 11]],
    ['Cloud Storage', ['NEED', 3]],
    ['News', ['NEED', 12]],
  ],
  Fun: [['Books'], ['Concerts and Cinema'], ['Vacation', ['TBD', 2400, 7]]],
  Giving: [
    ['Charity', ['NEED', 30]],
    ['Taxes', ['TBD', 800, 5]],
  ],
  'Savings Goals': [
    ['Emergency Fund', ['TB', 15_000]],
    ['Investments', ['MF', 300]],
    ['New Car', ['TB', 9000]],
  ],
};
