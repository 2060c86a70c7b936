import { toMinor } from './currencies.ts';

export type TransferStatus = 'ACCEPTED' | 'SETTLED' | 'REJECTED' | 'RETURNED';

/** What the bank knows of one reference. Minor units. */
export interface Transfer {
  readonly reference: string;
  /** The number of the order, as the remittance text tells it. */
  readonly order: number;
  readonly currency: string;
  readonly rail: string;
  readonly minor: bigint;
  readonly body: string;
  status: TransferStatus;
  reason: string | null;
  /** How often its money left. */
  executions: number;
  /** What came back. */
  returned: bigint;
  /** A callback's word of that: null before there is one, and where it says no amount. */
  said: { readonly amount: bigint | null } | null;
  readonly openedAt: number;
  executedAt: number | null;
  /** When the bank told of the return, by callback and by statement. */
  returnSaidAt: number | null;
  returnShownAt: number | null;
}

/** A movement on our account at the bank. */
export interface Booking {
  /** The bank's own reference of it: the same on every statement that shows it. */
  readonly id: string;
  /** Of a transfer of ours; null for money that others sent. */
  readonly reference: string | null;
  readonly currency: string;
  readonly minor: bigint;
  readonly direction: 'DBIT' | 'CRDT';
  readonly bookedAt: Date;
  readonly remittance: string;
  /** The next day's statement shows it once more. */
  readonly isShownTwice: boolean;
}

/** Money that others sent. */
export interface Incoming {
  readonly currency: string;
  readonly minor: bigint;
  readonly remittance: string;
  readonly isShownTwice: boolean;
}

/** What the bank itself wrote down: the truth about money that left and came back. */
export function createBankJournal(now: () => number) {
  const transfers = new Map<string, Transfer>();
  const byOrder = new Map<number, Transfer[]>();
  const unstated: Booking[] = [];
  const heardOf = new Set<number>();
  const offences: string[] = [];
  let bookings = 0;

  function book(one: Pick<Booking, 'reference' | 'direction'> & Incoming): void {
    bookings += 1;
    unstated.push({ ...one, id: `B${String(bookings)}`, bookedAt: new Date(now()) });
  }

  return {
    /** What no client of a bank may do. */
    offences,
    /** Orders that arrived here, also those that got lost then. */
    heardOf,
    /** Booked, and on no statement yet. */
    unstated,
    find: (reference: string) => transfers.get(reference),
    /** All references of an order, first one first. */
    of: (order: number): readonly Transfer[] => byOrder.get(order) ?? [],
    /** Writes down an order that arrived. */
    open(reference: string, body: string): Transfer {
      const known = transfers.get(reference);
      if (known !== undefined) {
        if (body !== known.body) offences.push(`${reference} came with another text`);
        return known;
      }
      const { amount, currency, rail, remittance } = JSON.parse(body);
      const order = Number(/^ORDER (\d+)$/.exec(remittance)?.[1]);
      const transfer: Transfer = {
        ...{ reference, order, currency, rail, body, minor: toMinor(amount, currency) },
        ...{ status: 'ACCEPTED', reason: null, executions: 0, returned: 0n, said: null },
        ...{ openedAt: now(), executedAt: null, returnSaidAt: null, returnShownAt: null },
      };
      transfers.set(reference, transfer);
      byOrder.set(order, [...(byOrder.get(order) ?? []), transfer]);
      return transfer;
    },
    receive(incoming: Incoming): void {
      book({ ...incoming, reference: null, direction: 'CRDT' });
    },
    execute(transfer: Transfer, isShownTwice: boolean): void {
      const { reference, currency, minor } = transfer;
      transfer.status = 'SETTLED';
      transfer.executions += 1;
      transfer.executedAt = now();
      book({ reference, currency, minor, direction: 'DBIT', remittance: '', isShownTwice });
    },
    reject(transfer: Transfer, reason: string): void {
      transfer.status = 'REJECTED';
      transfer.reason = reason;
    },
    giveBack(transfer: Transfer, minor: bigint, isShownTwice: boolean): void {
      const { reference, currency } = transfer;
      transfer.status = 'RETURNED';
      transfer.reason = 'AC04';
      transfer.returned += minor;
      book({ reference, currency, minor, direction: 'CRDT', remittance: '', isShownTwice });
    },
  };
}

export type BankJournal = ReturnType<typeof createBankJournal>;
