import { accountOperations } from '../accounts/operations.ts';
import { categoryGroupOperations } from '../categories/group-operations.ts';
import { categoryOperations } from '../categories/operations.ts';
import { monthOperations } from '../months/operations.ts';
import { payeeOperations } from '../payees/operations.ts';
import { planOperations } from '../plans/operations.ts';
import { scheduledOperations } from '../scheduled/operations.ts';
import { transactionChangeOperations } from '../transactions/change-operations.ts';
import { transactionReadOperations } from '../transactions/read-operations.ts';
import type { Operation } from './operation.ts';

/** All operations of the document. */
export const OPERATIONS: readonly Operation[] = [
  ...planOperations,
  ...accountOperations,
  ...categoryOperations,
  ...categoryGroupOperations,
  ...payeeOperations,
  ...monthOperations,
  ...transactionReadOperations,
  ...transactionChangeOperations,
  ...scheduledOperations,
];
