import { expect } from 'vitest';
import type { Database } from '../../src/db/client/database.ts';
import { findDepositReview } from '../../src/db/onchain/deposit-review-store.ts';
import { proposeBlockedDecision } from '../../src/modules/onchain/deposits/decide-blocked.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { BlockedDecision } from '../../src/domain/onchain/deposits/deposit.ts';
import type { TwoOperators } from './two-operators.ts';

/** Two operators of compliance decide about a deposit in suspense. */
export async function decideBlockedDeposit(
  deps: { readonly people: Database; readonly clock: Clock; readonly operators: TwoOperators },
  id: string,
  decision: BlockedDecision,
): Promise<void> {
  const { people, clock, operators } = deps;
  const row = await people.system((tx) => findDepositReview(tx, id));
  if (row === null) throw new Error('there is no such deposit');
  const act = { operator: await operators.operator('ada'), reason: 'compared with the list' };
  const proposal = await proposeBlockedDecision({ db: people, clock }, row, decision, act);
  expect(await operators.approve(proposal ?? '')).toMatchObject({ code: 0 });
}
