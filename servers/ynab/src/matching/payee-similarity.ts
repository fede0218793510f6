import { partial_ratio, token_set_ratio, token_sort_ratio, WRatio } from 'fuzzball';
import { normalizeName } from '../statement/clean-text.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';

/** The similarity of a description of the bank and the payee of a transaction, from 0 to 100. */
export type PayeeSimilarity = (description: string, transaction: LedgerTransaction) => number;

/** The texts are normalized once per text, so the library need not do it in each comparison. */
const PREPARED = { full_process: false };

/** Cheapest first: a ratio of 100 ends the comparison, and the last one costs more than the others together. */
const RATIOS = [token_set_ratio, token_sort_ratio, partial_ratio, WRatio];

/** Compares texts and remembers the results, because statements repeat payees. */
export function createPayeeSimilarity(): PayeeSimilarity {
  const normalized = new Map<string, string>();
  const compared = new Map<string, number>();
  const normalize = (text: string): string => {
    const known = normalized.get(text) ?? normalizeName(text);
    normalized.set(text, known);
    return known;
  };
  const compare = (left: string, right: string): number => {
    const key = `${left}\n${right}`;
    const known = compared.get(key) ?? bestRatio(left, right);
    compared.set(key, known);
    return known;
  };
  return (description, { payee_name, import_payee_name }) => {
    const left = normalize(description);
    const names = [payee_name, import_payee_name].filter((name) => name !== undefined && name !== null);
    return names.reduce((best, name) => Math.max(best, compare(left, normalize(name))), 0);
  };
}

function bestRatio(left: string, right: string): number {
  if (left === '' || right === '') return 0;
  let best = 0;
  for (const ratio of RATIOS) {
    best = Math.max(best, ratio(left, right, PREPARED));
    if (best === 100) break;
  }
  return best;
}
