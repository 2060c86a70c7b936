import type { EntryKind } from './line-places.ts';

/** The accounts of the ledger that are the customer's. All others are ours and not shown. */
export const CUSTOMER_ACCOUNTS = ['available', 'reserved', 'pending', 'receivable'] as const;
export type CustomerAccount = (typeof CUSTOMER_ACCOUNTS)[number];

/** The balance that a transaction moves, as the API calls it. */
export const BALANCES = ['AVAILABLE', 'RESERVED', 'PENDING', 'RECEIVABLE'] as const;
type BalanceName = (typeof BALANCES)[number];

export const balanceOf = (account: CustomerAccount): BalanceName =>
  BALANCES[CUSTOMER_ACCOUNTS.indexOf(account)] ?? 'AVAILABLE';
export const accountOf = (balance: BalanceName): CustomerAccount =>
  CUSTOMER_ACCOUNTS[BALANCES.indexOf(balance)] ?? 'available';

interface ShownKind {
  readonly type: string;
  /** Whether it changes what the customer has in all: a hold moves money from one own balance to another. */
  readonly isBooking: boolean;
  /** For people. */
  readonly description: string;
}

/**
 * How each kind of ledger line is shown; null for what touches no account of a customer. A kind that is
 * no booking must sum to zero over the customer's accounts: it is left out of statements.
 */
const SHOWN = {
  FUND: { type: 'DEPOSIT', isBooking: true, description: 'Funds received' },
  HOLD: { type: 'PAYMENT_HOLD', isBooking: false, description: 'Held for a payment' },
  SETTLE: { type: 'PAYMENT', isBooking: true, description: 'Paid out' },
  RELEASE: { type: 'PAYMENT_RELEASE', isBooking: false, description: 'Hold released' },
  RETURN: { type: 'PAYMENT_RETURN', isBooking: true, description: 'Payment returned' },
  RETURN_DIFFERENCE: null,
  LATE_RETURN: null,
  LATE_RETURN_CREDIT: {
    type: 'PAYMENT_RETURN',
    isBooking: true,
    description: 'Final payment returned',
  },
  COVER: null,
  SUSPEND: null,
  ASSIGN: { type: 'DEPOSIT', isBooking: true, description: 'Funds received' },
  CLOSE: null,
  FUND_REVERSAL: {
    type: 'DEPOSIT_REVERSAL',
    isBooking: true,
    description: 'Deposit reversed by the bank',
  },
  REPAYMENT: {
    type: 'RECEIVABLE_REPAYMENT',
    isBooking: false,
    description: 'Repayment of the amount owed after a reversed deposit',
  },
  DEPOSIT: { type: 'DEPOSIT', isBooking: true, description: 'Funds received' },
  DEPOSIT_HOLD: { type: 'PAYMENT_HOLD', isBooking: false, description: 'Held for a payment' },
  DEPOSIT_UNHOLD: { type: 'PAYMENT_RELEASE', isBooking: false, description: 'Hold released' },
  DEPOSIT_RELEASE: {
    type: 'PAYMENT_RELEASE',
    isBooking: false,
    description: 'Hold for a payment released',
  },
  DEPOSIT_ORPHAN: {
    type: 'DEPOSIT_REVERSAL',
    isBooking: true,
    description: 'Deposit reversed by the network',
  },
  DEPOSIT_BLOCK: null,
  DEPOSIT_UNBLOCK: { type: 'DEPOSIT', isBooking: true, description: 'Funds received' },
  EXCEPTION: {
    type: 'ADJUSTMENT',
    isBooking: true,
    description: 'Adjustment after a bank statement',
  },
  EXCEPTION_REVERSAL: {
    type: 'ADJUSTMENT',
    isBooking: true,
    description: 'Adjustment after a bank statement taken back',
  },
  FEE: { type: 'FEE', isBooking: true, description: 'Payment fee' },
} as const satisfies Readonly<Record<EntryKind, ShownKind | null>>;

type ShownEntryKind = {
  [Kind in EntryKind]: (typeof SHOWN)[Kind] extends null ? never : Kind;
}[EntryKind];
export type BalanceTransactionType = NonNullable<(typeof SHOWN)[EntryKind]>['type'];

const SHOWN_KINDS = (Object.keys(SHOWN) as EntryKind[]).filter(
  (kind): kind is ShownEntryKind => SHOWN[kind] !== null,
);

export const BALANCE_TRANSACTION_TYPES: readonly BalanceTransactionType[] = [
  ...new Set(SHOWN_KINDS.map((kind) => SHOWN[kind].type)),
];

/** The kinds of ledger lines that are shown as this type; as any where none is given. */
export const kindsOf = (type?: BalanceTransactionType): readonly EntryKind[] =>
  SHOWN_KINDS.filter((kind) => type === undefined || SHOWN[kind].type === type);

/** The kinds that leave what a customer has as it is: no lines of statements. */
export const MOVES_BETWEEN_OWN: readonly EntryKind[] = SHOWN_KINDS.filter(
  (kind) => !SHOWN[kind].isBooking,
);

/** How lines of a kind are shown. Throws RangeError for one that is not. */
export function shownAs(kind: EntryKind): { type: BalanceTransactionType; description: string } {
  const shown = SHOWN[kind];
  if (shown === null) throw new RangeError(`lines of ${kind} are not shown`);
  return shown;
}
