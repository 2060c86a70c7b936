import {
  chargeOf,
  creditOf,
  move,
  type LedgerLine,
  type Money,
  type PaymentMoney,
} from './movements.ts';

type Payment = Pick<PaymentMoney, 'source' | 'target'>;

/** Where the open money of an exception is: at the bank, or in suspense since a statement was read. */
export type OpenAt = 'suspense' | `nostro:${string}`;

/** The open amount is booked to an account of the platform. `open`: positive came in, negative left. */
export function differenceTo(
  account: string,
  { currency, minor: open }: Money,
  at: OpenAt,
): readonly LedgerLine[] {
  return open > 0n
    ? move({ currency, minor: open }, at, account)
    : move({ currency, minor: -open }, account, at);
}

/** So much of a payment came back, and is the customer's, in the source currency at the payment's own rate. */
export function returnFrom(at: OpenAt, part: Money, payment: Payment): readonly LedgerLine[] {
  if (payment.source.currency === part.currency) return move(part, at, 'available');
  return [...move(part, at, 'fx'), ...move(creditOf(payment, part.minor), 'fx', 'available')];
}

/**
 * So much left the bank for a customer, who pays it: out of what is available, and the rest is owed. `payment`: gives the
 * source currency and the rate; null where the line is no payment's. `available`: in the currency that the customer pays in.
 */
export function recoverTo(
  at: OpenAt,
  part: Money,
  payment: Payment | null,
  available: bigint,
): readonly LedgerLine[] {
  const isExchanged = payment !== null && payment.source.currency !== part.currency;
  if (!isExchanged) return takeFrom(part, at, available);
  const charged = chargeOf(payment, part.minor);
  return [...takeFrom(charged, 'fx', available), ...move(part, 'fx', at)];
}

/** The lines that undo others. `available` by currency: what it does not cover is owed. */
export function contraLines(
  lines: readonly LedgerLine[],
  available: ReadonlyMap<string, bigint>,
): readonly LedgerLine[] {
  const undone: LedgerLine[] = [];
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const [from, to] = lines.slice(index, index + 2);
    if (from === undefined || to === undefined) continue;
    const money = { currency: to.currency, minor: to.minor };
    if (to.account === 'available') {
      undone.push(...takeFrom(money, from.account, available.get(to.currency) ?? 0n));
      continue;
    }
    // What was owed and is paid meanwhile is the customer's again; what still is owed is repaid with it.
    const back = from.account === 'receivable' ? 'available' : from.account;
    undone.push(...move(money, to.account, back));
  }
  return undone;
}

function takeFrom({ currency, minor }: Money, to: string, available: bigint): LedgerLine[] {
  const covered = available < minor ? available : minor;
  return [
    ...move({ currency, minor: covered }, 'available', to),
    ...move({ currency, minor: minor - covered }, 'receivable', to),
  ];
}
