import { newId } from '../../src/db/client/new-id.ts';
import { openBalance } from '../../src/db/ledger/balance-store.ts';
import {
  insertLedgerTransactions,
  type NewLedgerTransaction,
} from '../../src/db/ledger/ledger-store.ts';
import type { Database } from '../../src/db/client/database.ts';
import {
  fundingLines,
  holdLines,
  movementLines,
  type PaymentMoney,
} from '../../src/domain/ledger/movements.ts';
import type { Scope } from '../../src/domain/scope.ts';

/** What one payment, or one deposit, does to a ledger, step by step. */
export type Story = 'DEPOSIT' | 'PAID' | 'FAILED' | 'RETURNED' | 'HELD';

export interface StoryTerms {
  readonly story: Story;
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly fees: readonly bigint[];
  /** Whether it is paid out in another currency. */
  readonly isConverted: boolean;
}

const RAIL = 'SEPA';

/** The transactions of a story, one of each step. */
export function stepsOf({ story, currency, amount, fees, isConverted }: StoryTerms) {
  const source = { currency, minor: amount };
  const money: PaymentMoney = {
    rail: RAIL,
    source,
    target: isConverted ? { currency: 'SEK', minor: amount * 3n } : source,
    fees: fees.map((minor) => ({ currency, minor })),
  };
  const hold = { kind: 'HOLD', lines: holdLines(money) } as const;
  const move = (kind: 'SETTLE' | 'RELEASE') => ({ kind, lines: movementLines(money, { kind }) });
  const back = {
    kind: 'RETURN',
    lines: movementLines(money, { kind: 'RETURN', amount: money.target.minor }),
  } as const;
  const steps = {
    DEPOSIT: [{ kind: 'FUND', lines: fundingLines(RAIL, source) } as const],
    PAID: [hold, move('SETTLE')],
    FAILED: [hold, move('RELEASE')],
    RETURNED: [hold, move('SETTLE'), back],
    HELD: [hold],
  };
  return steps[story].map((step) => ({ ...step, id: newId('ltx'), paymentId: null }));
}

/** Posts transactions as the engine does, by a clock that says `at`. False where money is missing. */
export async function post(
  db: Database,
  scope: Scope,
  transactions: readonly NewLedgerTransaction[],
  at: Date,
): Promise<boolean> {
  return db
    .write(scope, async (tx) => {
      for (const { currency } of transactions.flatMap(({ lines }) => lines)) {
        await openBalance(tx, scope, currency);
      }
      const isCovered = await insertLedgerTransactions(tx, scope, transactions, at);
      if (!isCovered) throw new NotCovered();
      return true;
    })
    .catch((error: unknown) => {
      if (error instanceof NotCovered) return false;
      throw error;
    });
}

class NotCovered extends Error {}
