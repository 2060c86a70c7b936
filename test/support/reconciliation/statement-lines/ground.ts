import { storeBankCallback } from '../../../../src/db/payments/transfer-report-store.ts';
import { newId } from '../../../../src/db/client/new-id.ts';
import type { Draw } from '../../payments/money-simulation/draw.ts';
import type { Fate, PayingCustomer, Seeded } from '../../seed-payments.ts';
import type { FundingHarness } from '../funding-harness.ts';
import type { EntryDraft } from '../statement-xml.ts';
import {
  momentOf,
  textOf,
  type LinesBank,
  type ReportOfDay,
  type ShownLine,
} from './lines-bank.ts';

/** A customer, and what payers write to credit it: by currency. */
export interface Payee {
  readonly customer: PayingCustomer;
  readonly references: Readonly<Record<'EUR' | 'USD', string>>;
}

/** A payment of 10.00 EUR that the bank took, and the day of that. */
export interface Paid extends Seeded {
  readonly day: number;
  readonly payee: Payee;
}

/** Where a booking is shown, and what that report says otherwise than the others. */
export type Showing = readonly [day: number, report: ReportOfDay, over?: Partial<EntryDraft>];

export type Ground = ReturnType<typeof createGround>;

/** What things are planted in: a bank on paper, and a platform that pays over it. */
export function createGround(
  harness: FundingHarness,
  bank: LinesBank,
  payees: readonly Payee[],
  draw: Draw,
) {
  let serial = 0;
  const next = (prefix: string): string => {
    serial += 1;
    return `${prefix}${String(serial)}`;
  };

  return {
    ...{ bank, draw, next },
    payee: (): Payee => draw.pick(payees),

    async pay(day: number, fate: Fate = 'COMPLETED'): Promise<Paid> {
      const payee = draw.pick(payees);
      const at = new Date(momentOf(day, 9));
      return { ...(await payee.customer.pay({ fate, at })), day, payee };
    },

    /** The bank tells that a payment came back, before a statement shows it. */
    async tellReturned({ reference, day }: Paid, amount: string): Promise<void> {
      const at = new Date(momentOf(day, 10));
      const said = { status: 'RETURNED', bankReference: null, reason: 'AC04' } as const;
      const report = { reportId: newId('rpt'), reference, amount, at, ...said };
      await storeBankCallback(harness.db, 'test', report, at);
    },

    /** Money leaves, and reports show it. Answers the lines in the order of `showings`. */
    booking(draft: EntryDraft, ...showings: readonly Showing[]): ShownLine[] {
      bank.book(draft);
      return showings.map(([day, report, over]) => bank.show(day, report, { ...draft, ...over }));
    },

    debit: ({ reference, day }: Paid, over: Partial<EntryDraft> = {}): EntryDraft => ({
      ...{ reference, amount: '10.00', bankReference: next('DEBIT-') },
      ...{ bookedAt: momentOf(day, 10), ...over },
    }),

    /** A credit that the bank marks as the return of a payment, a day later. */
    back: ({ reference, day }: Paid, over: Partial<EntryDraft> = {}): EntryDraft => ({
      ...{ reference, amount: '10.00', direction: 'CRDT', returnReason: 'AC04' },
      ...{ bankReference: next('BACK-'), bookedAt: momentOf(day + 1, 10), ...over },
    }),

    /** A deposit of an amount that no other one has. */
    deposit(day: number, over: Partial<EntryDraft> = {}): EntryDraft {
      serial += 1;
      return {
        ...{ amount: textOf(1_000_000n + BigInt(serial)), direction: 'CRDT' },
        ...{ bankReference: next('CREDIT-'), bookedAt: momentOf(day, 11), ...over },
      };
    },

    /** What leaves the bank and names no payment. */
    leaving(day: number, over: Partial<EntryDraft> = {}): EntryDraft {
      serial += 1;
      return {
        ...{ amount: textOf(10_000n + BigInt(serial)) },
        ...{ bankReference: next('LEFT-'), bookedAt: momentOf(day, 12), ...over },
      };
    },
  };
}

const VALUES: Readonly<Record<string, string>> = { R: '27', F: '15' };
const digitsOf = (text: string): string => text.replace(/[RF]/g, (letter) => VALUES[letter] ?? '');

/** A creditor reference (ISO 11649) with right check digits that is no customer's. */
export function foreignReference(number: number): string {
  const body = String(number).padStart(14, '0');
  const check = 98n - (BigInt(digitsOf(`${body}RF00`)) % 97n);
  return `RF${String(check).padStart(2, '0')}${body}`;
}
