import { lockAvailable, openBalance } from '../../../db/ledger/balance-store.ts';
import {
  findCreditReversal,
  findReversalAlike,
  insertCreditReversal,
  isTakenBackByAct,
  type CreditReversalRow,
} from '../../../db/ledger/credit-reversal-store.ts';
import {
  markLinesCredited,
  type CreditedLine,
  type CreditingLineRow,
} from '../../../db/ledger/crediting-line-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import {
  mayTakeReturnBack,
  takesReturnBack,
} from '../../../db/reconciliation/booked-return-store.ts';
import { lockCrediting } from '../../../db/ledger/early-reversal-store.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import {
  findFundingCredits,
  markFundingCreditReversed,
} from '../../../db/ledger/funding-credit-store.ts';
import {
  findIncomingCredit,
  lockCreditToReverse,
  markCreditReversed,
  type IncomingCreditRow,
} from '../../../db/ledger/incoming-credit-store.ts';
import {
  findLedgerTransactions,
  insertLedgerTransactions,
} from '../../../db/ledger/ledger-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import type { StatementOrigin } from '../../../db/reconciliation/statement-store.ts';
import { isSameBooking } from '../../../domain/ledger/funding/credit-booking.ts';
import { PLATFORM_ACCOUNT } from '../../../domain/platform-account.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { closingLines, creditReversalLines } from '../../../domain/ledger/credit-movements.ts';
import { statementMinor } from '../../../domain/reconciliation/statement-amount.ts';
import type { Scope } from '../../../domain/scope.ts';
import { bookingOf } from './booking.ts';
import { creditEvent } from './credit-event.ts';
import type { PostDeps } from './post-credits.ts';

/**
 * Takes a credit back that the bank took back: from the customer who has it, else out of suspense. Which
 * one is written first, then the books. A line that no whole credit answers is an exception, and so is one that may take a
 * return back instead, or whose money an act of operators has booked.
 */
export async function reverseCredit(
  deps: PostDeps,
  origin: StatementOrigin,
  line: CreditingLineRow,
): Promise<CreditedLine> {
  const found = await deps.db.system((tx) => takeReversal(tx, origin, line, deps.clock.now()));
  if (found === null) return unexpected(line);
  const { statementId, line: number } = line;
  const done = { statementId, line: number } as const;
  const { reversal, credit, isAlike } = found;
  if (isAlike || !isSameBooking(line.bookedAt, reversal.bookedAt)) {
    return { ...done, creditId: credit.id, outcome: 'EXCEPTION', exception: 'DUPLICATE_AT_BANK' };
  }
  const { customerId } = credit;
  if (customerId === null) await takeOutOfSuspense(deps, credit, reversal);
  else {
    const scope = { customerId, environment: credit.environment };
    await takeFromCustomer(deps, scope, credit, reversal);
  }
  return { ...done, creditId: credit.id, outcome: 'CREDIT_REVERSAL', exception: null };
}

const unexpected = ({ statementId, line }: CreditingLineRow): CreditedLine => ({
  ...{ statementId, line, creditId: null },
  ...{ outcome: 'EXCEPTION', exception: 'UNEXPECTED_AT_BANK' },
});

interface Reversed {
  readonly reversal: CreditReversalRow;
  readonly credit: IncomingCreditRow;
  /** Without a reference of the bank it may be this reversal, or another one: it takes nothing back. */
  readonly isAlike: boolean;
}

/** Where there is none to take back the line is marked before a credit of it can arrive. */
async function takeReversal(
  tx: SystemTransaction,
  origin: StatementOrigin,
  line: CreditingLineRow,
  at: Date,
): Promise<Reversed | null> {
  await lockCrediting(tx, origin);
  const found = await findReversed(tx, origin, line, at);
  if (found === null) await markLinesCredited(tx, [unexpected(line)]);
  return found;
}

async function findReversed(
  tx: SystemTransaction,
  origin: StatementOrigin,
  line: CreditingLineRow,
  at: Date,
): Promise<Reversed | null> {
  const { environment, connector } = origin;
  const booking = { environment, connector, ...bookingOf(line) };
  const known = await findCreditReversal(tx, booking);
  if (known !== null) {
    const credit = await findIncomingCredit(tx, known.creditId);
    return credit && { reversal: known, credit, isAlike: false };
  }
  const amount = statementMinor(line);
  if (!amount.ok) return null;
  const { currency, bankReference, creditorReferences: references, statementId, bookedAt } = line;
  const wanted = {
    environment,
    connector,
    currency,
    minor: amount.minor,
    bankReference,
    references,
  };
  const alike =
    line.bookingKey === null
      ? await findReversalAlike(tx, {
          ...{ environment, connector, statementId, currency, bookedAt },
          minor: amount.minor,
        })
      : null;
  if (alike !== null) {
    const reversed = await findIncomingCredit(tx, alike.creditId);
    return reversed && { reversal: alike, credit: reversed, isAlike: true };
  }
  // The bank takes back what it returned to a payment, whatever references it copied.
  if (await takesReturnBack(tx, { ...wanted, amount: line.amount })) return null;
  const credit = await lockCreditToReverse(tx, wanted);
  if (credit === null) return null;
  // Under a reference of its own it may take back a return into which the bank copied the customer's reference.
  const isNamed = bankReference !== null && credit.bankReference === bankReference;
  if (!isNamed && (await mayTakeReturnBack(tx, line, credit.id))) return null;
  const { customerId, bookedAt: creditedAt } = credit;
  const taking = { environment, connector, currency, amount: line.amount, bankReference, bookedAt };
  // Operators booked it before the bank marked it: they decide whether it is more money.
  if (await isTakenBackByAct(tx, { ...taking, customerId, creditedAt })) return null;
  const reversal = {
    creditId: credit.id,
    bookedAt,
    ledgerTransactionId: newId(ID_PREFIXES.ledgerTransaction),
  };
  const seen = { ...booking, statementId, line: line.line, receivedAt: at };
  await insertCreditReversal(tx, { ...reversal, ...seen });
  if (credit.outcome === null) await markCreditReversed(tx, credit.id, at);
  return { reversal, credit, isAlike: false };
}

/** It was unmatched: it leaves suspense as it came. */
async function takeOutOfSuspense(
  { db, clock }: PostDeps,
  { environment, currency, minor, connector }: IncomingCreditRow,
  { ledgerTransactionId: id }: CreditReversalRow,
): Promise<void> {
  const scope = { customerId: PLATFORM_ACCOUNT, environment };
  const lines = closingLines(connector, { currency, minor: minor ?? 0n });
  await db.write(scope, async (tx) => {
    if ((await findLedgerTransactions(tx, scope, [id])).has(id)) return;
    await insertLedgerTransactions(
      tx,
      scope,
      [{ id, kind: 'CLOSE', paymentId: null, lines }],
      clock.now(),
    );
  });
}

/** It was a customer's: what is not available any more is owed to us. */
async function takeFromCustomer(
  { db, clock }: PostDeps,
  scope: Scope,
  { id, currency, minor, connector }: IncomingCreditRow,
  { ledgerTransactionId }: CreditReversalRow,
): Promise<void> {
  await db.write(scope, async (tx) => {
    await openBalance(tx, scope, currency);
    const available = (await lockAvailable(tx, scope, currency)) ?? 0n;
    // Behind the balance's lock, so that of two at once the later one sees what the other did.
    const credit = (await findFundingCredits(tx, scope, [id])).get(id);
    if (credit === undefined) throw new Error(`credit ${id} is not in the books yet`);
    if (credit.reversedAt !== null) return;
    const at = clock.now();
    const lines = creditReversalLines(connector, { currency, minor: minor ?? 0n }, available);
    const transaction = {
      ...{ id: ledgerTransactionId, paymentId: null, lines },
      kind: 'FUND_REVERSAL' as const,
    };
    if (!(await insertLedgerTransactions(tx, scope, [transaction], at))) {
      throw new Error(`credit ${id} cannot be reversed`);
    }
    const reversed = await markFundingCreditReversed(tx, scope, id, { at, ledgerTransactionId });
    await recordEvent(tx, scope, creditEvent(reversed), at);
  });
}
