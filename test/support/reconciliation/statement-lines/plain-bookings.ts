import type { Draw } from '../../payments/money-simulation/draw.ts';
import type { EntryDraft } from '../statement-xml.ts';
import type { Ground, Showing } from './ground.ts';
import { minorOf, momentOf, textOf } from './lines-bank.ts';

/** A payment that was not made yet. `amount`: minor units of EUR. */
export interface PlainPayment {
  readonly reference: string;
  readonly amount: bigint;
}

/** What a bank does every day, by how often. */
const WEIGHTS = {
  PAYOUT: 80,
  DEPOSIT: 10,
  RETURN: 3,
  PART_RETURN: 1,
  TAKEN_BACK: 1,
  CORRECTED: 1,
  BATCH: 1,
  TWINS: 1,
} as const;

/**
 * Books and shows what is no exception, until the reports have so many lines. `take` names the next payment of a day that
 * is to be settled.
 */
export function bookPlainly(
  ground: Ground,
  draw: Draw,
  lines: number,
  take: (day: number) => PlainPayment,
): void {
  while (ground.bank.lines() < lines) {
    const day = draw.int(1, 3);
    switch (draw.weighted(WEIGHTS)) {
      case 'PAYOUT':
        payOut(ground, draw, day, take(day));
        break;
      case 'RETURN':
        bringBack(ground, draw, Math.min(day, 2), take(Math.min(day, 2)), 0n);
        break;
      case 'PART_RETURN':
        bringBack(ground, draw, Math.min(day, 2), take(Math.min(day, 2)), 250n);
        break;
      case 'DEPOSIT':
        deposit(ground, draw, day);
        break;
      case 'TAKEN_BACK':
        takeBack(ground, Math.min(day, 2));
        break;
      case 'CORRECTED':
        correct(ground, day, take(day));
        break;
      case 'BATCH':
        payTogether(
          ground,
          day,
          [1, 2, 3, 4].map(() => take(day)),
        );
        break;
      case 'TWINS':
        depositTwice(ground, day);
    }
  }
}

const debitOf = (ground: Ground, day: number, { reference, amount }: PlainPayment): EntryDraft => ({
  ...{ reference, amount: textOf(amount), bankReference: ground.next('DEBIT-') },
  bookedAt: momentOf(day, 10),
});

/** Reports of one day that show a booking, with the references that each of them gives. */
function showings(draw: Draw, day: number): Showing[] {
  const unnamed = { bankReference: null };
  const early = draw.weighted({ NAMED: 70, UNNAMED: 30 }) === 'NAMED' ? {} : unnamed;
  const late = draw.chance(5) ? unnamed : {};
  const reports = draw.weighted({ ALL_DAY: 45, LATER: 30, AT_ITS_END: 25 });
  return [
    ...(reports === 'ALL_DAY' ? [[day, 'MORNING', early] as const] : []),
    ...(reports === 'AT_ITS_END' ? [] : [[day, 'AFTERNOON', early] as const]),
    ...(draw.chance(20) ? [[day, 'ADVICE', early] as const] : []),
    [day, 'DAY', late],
  ];
}

function payOut(ground: Ground, draw: Draw, day: number, payment: PlainPayment): void {
  ground.booking(debitOf(ground, day, payment), ...showings(draw, day));
}

/** It comes back a day later, less what a bank on the way kept. */
function bringBack(
  ground: Ground,
  draw: Draw,
  day: number,
  payment: PlainPayment,
  kept: bigint,
): void {
  payOut(ground, draw, day, payment);
  const back: EntryDraft = {
    ...{ reference: payment.reference, amount: textOf(payment.amount - kept), direction: 'CRDT' },
    ...{ returnReason: 'AC04', bankReference: ground.next('BACK-') },
    bookedAt: momentOf(day + 1, 10),
  };
  ground.booking(back, ...showings(draw, day + 1));
}

/** A bank names it on every report, or by what ties two names on one of them. */
function deposit(ground: Ground, draw: Draw, day: number): void {
  const drafted = ground.deposit(day, { remittance: ground.payee().references.EUR });
  if (draw.chance(60)) {
    ground.booking(drafted, [day, 'MORNING'], [day, 'ADVICE'], [day, 'DAY']);
    return;
  }
  const transactionId = ground.next('TX-');
  const unnamed = { bankReference: null, transactionId };
  ground.booking(
    drafted,
    [day, 'MORNING', unnamed],
    [day, 'AFTERNOON', { transactionId }],
    [day, 'DAY'],
  );
}

/** Two deposits of one payer that only the bank's names tell apart. */
function depositTwice(ground: Ground, day: number): void {
  const one = ground.deposit(day, { remittance: ground.payee().references.EUR });
  for (const bankReference of [one.bankReference ?? null, ground.next('CREDIT-')]) {
    ground.booking({ ...one, bankReference }, [day, 'AFTERNOON'], [day, 'DAY']);
  }
}

/** A deposit that the bank takes back, marked as that, a day later. */
function takeBack(ground: Ground, day: number): void {
  const drafted = ground.deposit(day, { remittance: ground.payee().references.EUR });
  ground.booking(drafted, [day, 'AFTERNOON'], [day, 'DAY']);
  const taken = { ...drafted, direction: 'DBIT', reversal: true } as const;
  ground.booking(
    { ...taken, bookedAt: momentOf(day + 1, 10) },
    [day + 1, 'MORNING'],
    [day + 1, 'DAY'],
  );
}

/** Debited, given back and debited again within one day. */
function correct(ground: Ground, day: number, payment: PlainPayment): void {
  const debit = debitOf(ground, day, payment);
  const back = { ...debit, direction: 'CRDT', reversal: true } as const;
  ground.booking(debit, [day, 'DAY']);
  ground.booking({ ...back, bankReference: ground.next('BACK-') }, [day, 'DAY']);
  ground.booking({ ...debit, bankReference: ground.next('DEBIT-') }, [day, 'DAY']);
}

/** One entry on the statement of the day, and each payout alone before that. */
function payTogether(ground: Ground, day: number, payments: readonly PlainPayment[]): void {
  const debits = payments.map((payment) => debitOf(ground, day, payment));
  for (const debit of debits) ground.booking(debit, [day, 'AFTERNOON']);
  const sum = debits.reduce((total, { amount }) => total + minorOf(amount), 0n);
  ground.bank.show(day, 'DAY', {
    ...{ amount: textOf(sum), bankReference: null, entryReference: ground.next('ENTRY-') },
    bookedAt: momentOf(day, 10),
    batch: debits.map(({ reference = '', amount }) => ({ reference, amount })),
  });
}
