import type { Figure } from '../figure.ts';
import type { RunScope } from '../scope.ts';
import { measureCosts } from './costs.ts';
import type { RunOptions } from './run-options.ts';
import { measureSettle } from './settle.ts';

const COSTS_PAYMENTS = 300;

/** What no change may make worse: accepting and settling, and then what a payout costs in the database. */
export async function measureGuard(scope: RunScope, options: RunOptions): Promise<Figure[]> {
  const apart = async (measure: (part: RunScope) => Promise<Figure[]>) => {
    const part = scope.child();
    try {
      return await measure(part);
    } finally {
      await part.close();
    }
  };
  const settled = await apart((part) => measureSettle(part, options));
  const costs = { ...options, end: { payments: COSTS_PAYMENTS } };
  return [...settled, ...(await apart((part) => measureCosts(part, costs)))];
}
