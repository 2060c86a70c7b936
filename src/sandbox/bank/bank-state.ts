import { parseAmount } from '../../domain/money/amount.ts';
import type {
  BankFact,
  DepositedFact,
  DepositFact,
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

export interface Deposit {
  readonly deposited: DepositedFact;
  readonly amountMinor: bigint;
  isReversed: boolean;
}

/** What moved money: a deposit's DBIT is its reversal. */
export type Cause =
  | { readonly kind: 'TRANSFER'; readonly transfer: Transfer }
  | { readonly kind: 'DEPOSIT'; readonly deposited: DepositedFact };

export interface Movement {
  readonly direction: 'DBIT' | 'CRDT';
  readonly amountMinor: bigint;
  readonly at: string;
  readonly cause: Cause;
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
  deposit(id: string): Deposit | undefined;
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
  const deposits = new Map<string, Deposit>();
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
    const cause = { kind: 'TRANSFER', transfer } as const;
    accountOf(currency).movements.push({ direction, amountMinor: moved.minor, at, cause });
  }

  function applyToDeposit(fact: DepositFact): void {
    const known = deposits.get(fact.deposit);
    if (fact.fact === 'DEPOSITED') {
      const amount = parseAmount(fact.amount, fact.currency);
      if (!amount.ok || known !== undefined) {
        throw new Error(`sandbox bank: deposit ${fact.deposit} cannot be booked`);
      }
      const { at } = fact;
      deposits.set(fact.deposit, { deposited: fact, amountMinor: amount.minor, isReversed: false });
      const cause = { kind: 'DEPOSIT', deposited: fact } as const;
      const booked = { direction: 'CRDT', amountMinor: amount.minor, at, cause } as const;
      accountOf(fact.currency).movements.push(booked);
      return;
    }
    if (known === undefined || known.isReversed) {
      throw new Error(`sandbox bank: deposit ${fact.deposit} cannot be reversed`);
    }
    known.isReversed = true;
    const { deposited, amountMinor } = known;
    const cause = { kind: 'DEPOSIT', deposited } as const;
    const booked = { direction: 'DBIT', amountMinor, at: fact.at, cause } as const;
    accountOf(deposited.currency).movements.push(booked);
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
      if (fact.fact === 'DEPOSITED' || fact.fact === 'DEPOSIT_REVERSED') {
        applyToDeposit(fact);
        return;
      }
      applyToTransfer(fact);
      const known = facts.get(fact.reference);
      if (known === undefined) facts.set(fact.reference, [fact]);
      else known.push(fact);
    },
    transfer: (reference) => transfers.get(reference),
    transfers: () => transfers.values(),
    deposit: (id) => deposits.get(id),
    factsOf: (reference) => facts.get(reference) ?? [],
    references: () => facts.keys(),
    accounts: () => accounts.values(),
    account: (currency) => accounts.get(currency),
    statements: () => statements,
  };
}
