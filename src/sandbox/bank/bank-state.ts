import { parseAmount } from '../../domain/money/amount.ts';
import type {
  BankFact,
  DepositedFact,
  DepositFact,
  ExecutedFact,
  FaultArmedFact,
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
  /** The bank was told to move on with it: it hides nothing any more. */
  isAdvanced: boolean;
  /** Callbacks, by `callbackKey`, that need no further try. */
  readonly closedCallbacks: Set<string>;
}

/** A callback's own name: of two with one id, which are a duplicate, the places differ. */
export const callbackKey = ({ id, index }: { readonly id: string; readonly index: number }) =>
  `${id}#${index}`;

/** A fault that waits for transfers of a customer. */
export interface KeptFault {
  readonly armed: FaultArmedFact;
  /** How many transfers have met it. */
  met: number;
}

interface Deposit {
  readonly deposited: DepositedFact;
  readonly amountMinor: bigint;
  isReversed: boolean;
}

/** Whether transfers that come at a time, ISO 8601 in UTC, meet it. */
export const isWaiting = ({ armed, met }: KeptFault, at: string): boolean =>
  met < armed.count && at < armed.endsAt;

/** What moved money: a deposit's DBIT is its reversal. */
type Cause =
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
  armedFault(id: string): KeptFault | undefined;
  /** Those armed for a customer that may still wait, oldest first. */
  armedFaults(onBehalfOf: string): readonly KeptFault[];
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
  const faults = new Map<string, KeptFault>();
  const faultsOf = new Map<string, KeptFault[]>();
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

  function keepFault(armed: FaultArmedFact): void {
    if (faults.has(armed.id)) throw new Error(`sandbox bank: fault ${armed.id} is armed twice`);
    const kept = { armed, met: 0 };
    faults.set(armed.id, kept);
    const before = faultsOf.get(armed.onBehalfOf) ?? [];
    const waiting = before.filter((one) => isWaiting(one, armed.at));
    faultsOf.set(armed.onBehalfOf, [...waiting, kept]);
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
          isAdvanced: false,
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
        transfers.get(fact.reference)?.closedCallbacks.add(callbackKey(fact));
        return;
      case 'FAULT_MET': {
        const kept = faults.get(fact.armed);
        if (kept === undefined || kept.met >= kept.armed.count) {
          throw new Error(`sandbox bank: ${fact.reference} met a fault that does not wait`);
        }
        kept.met += 1;
        return;
      }
      case 'ADVANCED': {
        const transfer = transfers.get(fact.reference);
        if (transfer === undefined) {
          throw new Error(`sandbox bank: ${fact.reference} was advanced before it came`);
        }
        transfer.isAdvanced = true;
        return;
      }
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
      if (fact.fact === 'FAULT_ARMED') {
        keepFault(fact);
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
    armedFault: (id) => faults.get(id),
    armedFaults: (onBehalfOf) => faultsOf.get(onBehalfOf) ?? [],
    accounts: () => accounts.values(),
    account: (currency) => accounts.get(currency),
    statements: () => statements,
  };
}
