import { parseAmount } from '../../domain/money/amount.ts';
import type {
  BankFact,
  ReceivedFact,
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
  /** Callbacks, by their place in the list, that need no further try. */
  readonly closedCallbacks: Set<number>;
}

export interface Movement {
  direction: 'DBIT' | 'CRDT';
  amountMinor: bigint;
  at: string;
  transfer: Transfer;
}

/** One per currency, so that a statement has one currency. */
export interface Account {
  readonly currency: string;
  readonly movements: Movement[];
  /** How many of the movements stand on statements already. */
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

  function move(direction: 'DBIT' | 'CRDT', transfer: Transfer, at: string): void {
    const { amountMinor, received } = transfer;
    accountOf(received.currency).movements.push({ direction, amountMinor, at, transfer });
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
        move('DBIT', transfer, fact.at);
        return;
      }
      case 'REJECTED':
        change(fact, 'ACCEPTED', 'REJECTED').reason = fact.reason;
        return;
      case 'RETURNED': {
        const transfer = change(fact, 'SETTLED', 'RETURNED');
        transfer.reason = fact.reason;
        move('CRDT', transfer, fact.at);
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
