import { fromUnits, toUnits } from './decimal-units.ts';
import type { Direction, EntryStatus, StatementMoney } from './statement-types.ts';

interface Movement extends StatementMoney {
  readonly direction: Direction;
}

/** ISO 20022 BalanceType: PRCD is the closing balance of the statement before. */
export interface StatementBalance extends Movement {
  readonly type: string;
}

/** An entry, or one of its lines: what counts is the entry, and once. */
interface StatementEntry {
  readonly entry: Movement & { readonly number: number };
  readonly status: EntryStatus;
}

interface CurrencyCheck {
  readonly currency: string;
  /** Decimal text, "-" where the account was overdrawn; null where the bank gave none. */
  readonly opening: string | null;
  readonly closing: string | null;
  /** All booked entries, credits less debits. */
  readonly booked: string;
  /** closing - (opening + booked): "0" is right; null where a balance is missing. */
  readonly difference: string | null;
}

/**
 * Adds up one statement as it passes: opening + booked entries = closing, per currency. Entries are
 * counted as they are, reversals too: their CdtDbtInd already is the way that money moved. Of
 * several balances of a type the first opening and the last closing one count, which joins pages.
 */
export function createStatementArithmetic() {
  const openings = new Map<string, { type: string; units: bigint }>();
  const closings = new Map<string, bigint>();
  const bookedUnits = new Map<string, bigint>();
  let lastEntryNumber = 0;

  return {
    addBalance({ type, ...movement }: StatementBalance): void {
      const { currency } = movement;
      if (type === 'CLBD') closings.set(currency, signedUnits(movement));
      if (type !== 'OPBD' && type !== 'PRCD') return;
      const known = openings.get(currency);
      // The bank's own opening balance before the one that it carries over from the last statement.
      if (known === undefined || (known.type === 'PRCD' && type === 'OPBD')) {
        openings.set(currency, { type, units: signedUnits(movement) });
      }
    },

    /** Takes each line of a batch; only the first of an entry counts. */
    addEntry({ entry, status }: StatementEntry): void {
      if (entry.number === lastEntryNumber) return;
      lastEntryNumber = entry.number;
      if (status !== 'BOOK') return;
      const sum = bookedUnits.get(entry.currency) ?? 0n;
      bookedUnits.set(entry.currency, sum + signedUnits(entry));
    },

    /** One row per currency that had a balance or a booked entry, in order of currency. */
    check(): CurrencyCheck[] {
      const currencies = new Set([...openings.keys(), ...closings.keys(), ...bookedUnits.keys()]);
      return [...currencies].sort().map((currency) => {
        const opening = openings.get(currency)?.units ?? null;
        const closing = closings.get(currency) ?? null;
        const booked = bookedUnits.get(currency) ?? 0n;
        const isKnown = opening !== null && closing !== null;
        return {
          currency,
          opening: opening === null ? null : fromUnits(opening),
          closing: closing === null ? null : fromUnits(closing),
          booked: fromUnits(booked),
          difference: isKnown ? fromUnits(closing - (opening + booked)) : null,
        };
      });
    },
  };
}

function signedUnits({ amount, direction }: Movement): bigint {
  const units = toUnits(amount);
  return direction === 'CRDT' ? units : -units;
}
