import { expect } from 'vitest';
import type { BankJournal, Transfer } from './bank-journal.ts';
import type { Told } from './told.ts';

/** What must have become of an order, as the bank's journal and the partner's answers have it. */
/** LATE: it came back when the payment was final, which COMPLETED it stays. */
export type Fate = 'REFUSED' | 'COMPLETED' | 'RETURNED' | 'LATE' | 'FAILED' | 'CANCELED' | 'OPEN';

export interface BankTruth {
  readonly fate: Fate;
  /** Minor units of the target currency. */
  readonly paid: bigint;
  readonly returned: bigint;
  /** What may have been credited for it: what a callback said, or what the statement shows. */
  readonly credits: readonly bigint[];
  readonly transfer: Transfer | null;
}

/** Reasons after which nothing more is tried. */
const FINAL_REASONS = ['AC01', 'AC04', 'RC01'];

export interface TruthDeps {
  readonly journal: BankJournal;
  /** Of the order's corridor. */
  readonly areReturnsDeducted: boolean;
}

const NOTHING = { paid: 0n, returned: 0n, credits: [0n], transfer: null };

/**
 * The truth about one order. Fails where money moved more than once, otherwise than ordered, before its
 * day, or at all for an order that was refused or canceled; and where a cancel was refused of which the
 * bank knows nothing. `arrives` in minor units.
 */
export function truthOf(
  { journal, areReturnsDeducted }: TruthDeps,
  told: Told,
  arrives: bigint,
): BankTruth {
  const { number, plan, answer, cancel } = told;
  const transfers = journal.of(number);
  const where = `order ${String(number)}: ${JSON.stringify(plan.bank)}`;
  const { currency, rail } = plan.target;
  for (const transfer of transfers) {
    const { minor, openedAt } = transfer;
    const paid = { minor, currency: transfer.currency, rail: transfer.rail };
    expect(paid, where).toEqual({ currency, rail, minor: arrives });
    expect(openedAt, where).toBeGreaterThanOrEqual(
      Date.parse(answer?.json.releaseAt ?? '1970-01-01'),
    );
  }
  const executions = transfers.reduce((sum, one) => sum + one.executions, 0);
  expect(executions, `${where} moved money so often`).toBeLessThanOrEqual(1);
  if (answer?.status !== 201) {
    expect(journal.heardOf.has(number), `${where} was refused, and is at the bank`).toBe(false);
    return { fate: 'REFUSED', ...NOTHING };
  }
  if (cancel?.status === 200) {
    expect(journal.heardOf.has(number), `${where} was canceled, and is at the bank`).toBe(false);
    return { fate: 'CANCELED', ...NOTHING };
  }
  if (cancel !== null) {
    expect(cancel, where).toMatchObject({ status: 409, json: { error: 'payment_not_cancelable' } });
    expect(journal.heardOf.has(number), `${where} could have been canceled`).toBe(true);
  }
  const paid = transfers.find((one) => one.executions > 0);
  if (paid !== undefined) {
    const { minor, returned } = paid;
    const transfer = paid;
    const credits = creditsFor(paid, areReturnsDeducted);
    return {
      fate: returned > 0n ? 'RETURNED' : 'COMPLETED',
      paid: minor,
      returned,
      credits,
      transfer,
    };
  }
  const isRejected = transfers.some(({ reason }) => FINAL_REASONS.includes(reason ?? ''));
  return { fate: isRejected ? 'FAILED' : 'OPEN', ...NOTHING };
}

/** A callback is believed at once, where it says an amount or the rail takes nothing off. */
function creditsFor({ minor, returned, said }: Transfer, areReturnsDeducted: boolean): bigint[] {
  if (said === null || returned === 0n) return [returned];
  if (said.amount !== null) return [said.amount, returned];
  return areReturnsDeducted ? [returned] : [minor, returned];
}
