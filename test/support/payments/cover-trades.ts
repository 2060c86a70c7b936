import { expect } from 'vitest';
import {
  COVER_TRADE_VERSION,
  tradedText,
  type CoverTrade,
} from '../../../src/domain/payments/fx/cover-trade.ts';
import { platformScope } from '../../../src/domain/platform-account.ts';
import { proposeApproval } from '../../../src/modules/approvals/propose-approval.ts';
import type { PaymentHarness } from '../payment-harness.ts';
import { createTwoOperators } from '../two-operators.ts';

/** Hands cover trades of `test` in and has two operators approve them. */
export function createCoverTrades({ database, clock }: Pick<PaymentHarness, 'database' | 'clock'>) {
  const operators = createTwoOperators(database.people, clock);
  const platform = platformScope('test');
  return async ({ reference, sold, bought }: CoverTrade): Promise<void> => {
    const proposal = {
      ...({ action: 'FX_COVER', subjectVersion: COVER_TRADE_VERSION } as const),
      subjectId: `test:${reference}`,
      content: {
        ...{ sold: tradedText(sold), bought: tradedText(bought), reference },
        ...{ soldCurrency: sold.currency, soldMinor: sold.minor.toString() },
        ...{ soldRail: sold.rail, boughtRail: bought.rail },
        ...{ boughtCurrency: bought.currency, boughtMinor: bought.minor.toString() },
      },
    };
    const act = { operator: 'Ada', reason: 'end of day' };
    const id = await proposeApproval({ db: database.people, clock }, platform, proposal, act);
    expect(await operators.approve(id ?? '')).toMatchObject({ code: 0 });
  };
}
