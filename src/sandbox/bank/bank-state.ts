import { parseAmount } from '../../domain/money/amount.ts';
import type {
  BankFact,
  ExecutedFact,
  ReceivedFact,
  ReturnedFact,
  StatementCutFact,
  TransferFact,
  TransferStatus,
} from './bank-fact.ts';

export interface Transfer {
  readonly received: ReceivedFact;
  readonly amountMinor: bigint;
  status: TransferStatus;
  /** When it got its status. */
  changedAt: string;
  settledAt?: string;
  reason?: string;
  /** What came back, decimal text, where it is less than was sent. */
  returnedLess?: string;
  /** Callbacks, by their place in the list, that need no further try. */
  readonly closedCallbacks: Set<number>;
}

export interface Movement {
  readonly direction: 'DBIT' | 'CRDT';
  readonly amountMinor: bigint;
  readonly at: string;
  readonly transfer: Transfer;
}

/** One per currency, so that a statement has one currency. */
export interface Account {
  readonly currency: string;
  readonly movements: Movement[];
  /** How many of the movements are on statements already. */
  stated: number;
  lastCut: StatementCutFact | null;
}

/** Everything the bank knows, as its facts tell it. Changed by `apply` only. */
export interface BankState {
  apply(fact: BankFact): void;
  transfer(reference: string): Transfer | undefined;
  transfers(): Iterable<Transfer>;
  /** Every fact about one reference, a refused one included; empty when it was never seen. */
  factsOf(reference: string): readonly TransferFact[];
  references(): Iterable<string>;
  accounts(): Iterable<Account>;
  account(currency: string): Account | undefined;
  statements(): readonly StatementCutFact[];
}

/** Throws when a fact contradicts those before it: a bank that moves money twice must not go on. */
export function createBankState(): BankState {
  const transfers = new Map<string, Transfer>();
  const facts = new Map<string, TransferFact[]>();
  const accounts = new Map<string, Account>();
  const statements: StatementCutFact[] = [];

  function accountOf(currency: string): Account {
    let account = accounts.get(currency);
    if (account === undefined) {
      account = { currency, movements: [], stated: 0, lastCut: null };
      accounts.set(currency, account);
    }
    return account;
  }

  function move(
    direction: 'DBIT' | 'CRDT',
    transfer: Transfer,
    { at, amount, currency }: ExecutedFact | ReturnedFact,
  ): void {
    const moved = parseAmount(amount, currency);
    if (!moved.ok || moved.minor > transfer.amountMinor) {
      throw new Error(`sandbox bank: ${transfer.received.reference} cannot move ${amount}`);
    }
    accountOf(currency).movements.push({ direction, amountMinor: moved.minor, at, transfer });
  }

  function change(fact: TransferFact, from: TransferStatus, to: TransferStatus): Transfer {
    const transfer = transfers.get(fact.reference);
    if (transfer?.status !== from) {
      throw new Error(`sandbox bank: ${fact.fact} of ${fact.reference} is out of order`);
    }
    transfer.status = to;
    transfer.changedAt = fact.at;
    return transfer;
  }

  function applyToTransfer(fact: TransferFact): void {
    switch (fact.fact) {
      case 'RECEIVED': {
        const amount = parseAmount(fact.amount, fact.currency);
        if (!amount.ok || transfers.has(fact.reference)) {
          throw new Error(`sandbox bank: ${fact.reference} cannot be received`);
        }
        transfers.set(fact.reference, {
          received: fact,
          amountMinor: amount.minor,
          status: 'ACCEPTED',
          changedAt: fact.at,
          closedCallbacks: new Set(),
        });
        return;
      }
      case 'EXECUTED': {
        const transfer = change(fact, 'ACCEPTED', 'SETTLED');
        transfer.settledAt = fact.at;
        move('DBIT', transfer, fact);
        return;
      }
      case 'REJECTED':
        change(fact, 'ACCEPTED', 'REJECTED').reason = fact.reason;
        return;
      case 'RETURNED': {
        const transfer = change(fact, 'SETTLED', 'RETURNED');
        transfer.reason = fact.reason;
        if (fact.amount !== transfer.received.amount) transfer.returnedLess = fact.amount;
        move('CRDT', transfer, fact);
        return;
      }
      case 'CALLBACK_SENT':
      case 'CALLBACK_ABANDONED':
        transfers.get(fact.reference)?.closedCallbacks.add(fact.index);
        return;
      case 'REFUSED_503':
    }
  }

  return {
    apply(fact) {
      if (fact.fact === 'STATEMENT_CUT') {
        const account = accountOf(fact.currency);
        account.stated = fact.after + fact.lines;
        account.lastCut = fact;
        statements.push(fact);
        return;
      }
      applyToTransfer(fact);
      const known = facts.get(fact.reference);
      if (known === undefined) facts.set(fact.reference, [fact]);
      else known.push(fact);
    },
    transfer: (reference) => transfers.get(reference),
    transfers: () => transfers.values(),
    factsOf: (reference) => facts.get(reference) ?? [],
    references: () => facts.keys(),
    accounts: () => accounts.values(),
    account: (currency) => accounts.get(currency),
    statements: () => statements,
  };
}
