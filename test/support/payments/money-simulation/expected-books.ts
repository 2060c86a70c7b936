import { PLATFORM_ACCOUNT } from '../../../../src/domain/platform-account.ts';
import type { Books } from './books.ts';
import { createBooks } from './books.ts';
import { destinationOf } from './currencies.ts';
import { isKnown, type DepositPlan } from './deposit-plan.ts';
import type { BankTruth } from './fate.ts';
import type { Decisions } from './operators.ts';
import type { SimulatedPayer } from './payers.ts';

/** One accepted order: what the partner pays by the price that was told, and what happened at the bank. */
export interface Accepted {
  readonly payer: SimulatedPayer;
  readonly price: Price;
  readonly truth: BankTruth;
  /** What the partner was told came back; in minor units of the target. */
  readonly credited: bigint;
}

/** Minor units. The hold is `converted` and the fee. */
export interface Price {
  readonly source: string;
  readonly converted: bigint;
  readonly fee: bigint;
  readonly target: string;
  readonly arrives: bigint;
}

/** What moves without a payment. */
export interface OtherMoney {
  readonly deposits: readonly DepositPlan[];
  readonly decisions: Decisions;
}

/** All books as they must be, from prices, the bank's journal and what was paid in. Credits are positive. */
export function expectedBooks(
  payers: readonly SimulatedPayer[],
  accepted: readonly Accepted[],
  { deposits, decisions }: OtherMoney,
): Books {
  const books = createBooks();
  for (const { scope, funded } of payers) {
    for (const [currency, minor] of funded) {
      books.add(scope.customerId, nostroOf(currency), currency, -minor);
      books.add(scope.customerId, 'available', currency, minor);
    }
  }
  for (const one of accepted) addPayment(books, one);
  for (const plan of deposits) {
    const { minor, to } = plan;
    const [owner, account] = isKnown(plan)
      ? [payers[plan.payer]!.scope.customerId, 'available']
      : [PLATFORM_ACCOUNT, 'suspense'];
    books.add(owner, 'nostro:HTTP_BANK', to.currency, -minor);
    books.add(owner, account, to.currency, minor);
  }
  for (const { customerId, currency, minor } of decisions.assignments) {
    books.add(customerId, 'suspense', currency, -minor);
    books.add(customerId, 'available', currency, minor);
  }
  return books.read();
}

function addPayment(books: ReturnType<typeof createBooks>, one: Accepted): void {
  const { price, truth, credited } = one;
  const { source, target, converted, fee, arrives } = price;
  const add = (account: string, currency: string, minor: bigint) =>
    books.add(one.payer.scope.customerId, account, currency, minor);
  const hold = converted + fee;
  switch (truth.fate) {
    case 'REFUSED':
    case 'FAILED':
    case 'CANCELED':
      return;
    case 'OPEN':
      add('available', source, -hold);
      add('reserved', source, hold);
      return;
    case 'COMPLETED':
    case 'RETURNED':
    case 'LATE':
      break;
  }
  // What left is gone from our account at the bank, whatever else is true.
  add(nostroOf(target), target, truth.paid - truth.returned);
  add('suspense', target, truth.returned - credited);
  add('fees', source, fee);
  const back = source === target ? credited : (converted * credited) / arrives;
  add('available', source, back - hold);
  if (source === target) return;
  add('fx', source, converted - back);
  add('fx', target, credited - arrives);
}

const nostroOf = (currency: string): string => `nostro:${destinationOf(currency).rail}`;
