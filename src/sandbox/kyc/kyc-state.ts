import type { CheckOutcome, CheckReason, CheckStatus } from './kyc-outcome.ts';

export type CheckType = 'INDIVIDUAL' | 'BUSINESS';

export type KycFact =
  | {
      readonly fact: 'DOCUMENT';
      readonly at: string;
      readonly reference: string;
      /** The caller's id of it. */
      readonly documentId: string;
      readonly type: string;
      /** Of its bytes, which are not kept; hex. */
      readonly sha256: string;
    }
  | {
      readonly fact: 'STARTED';
      /** ISO 8601, UTC. */
      readonly at: string;
      readonly reference: string;
      /** Unguessable: it alone opens the hosted page. */
      readonly id: string;
      readonly type: CheckType;
      readonly outcome: CheckOutcome;
    }
  | {
      /** From now on it moves by hand, until documents come that it waits for. */
      readonly fact: 'DIRECTED';
      readonly at: string;
      readonly reference: string;
    }
  | {
      /** Where a check goes that is not started yet, once it is. */
      readonly fact: 'ORDERED';
      readonly at: string;
      readonly reference: string;
      readonly status: CheckStatus;
    }
  | {
      readonly fact: 'MOVED';
      readonly at: string;
      readonly reference: string;
      readonly status: CheckStatus;
      readonly reasons: readonly CheckReason[];
    }
  | {
      readonly fact: 'CALLBACK_SENT' | 'CALLBACK_ABANDONED';
      readonly at: string;
      readonly reference: string;
      /** Of the move that it told. */
      readonly version: number;
    };

/** One state of a check; the versions count from 1 and are never changed. */
export interface CheckVersion {
  readonly version: number;
  readonly at: string;
  readonly status: CheckStatus;
  readonly reasons: readonly CheckReason[];
}

export interface Check {
  readonly id: string;
  readonly reference: string;
  readonly type: CheckType;
  readonly outcome: CheckOutcome;
  current: CheckVersion;
  /** It is moved by hand: the last name decides nothing more. */
  isDirected: boolean;
  /** Where it goes by hand and has not arrived, as was ordered before it was started. */
  ordered: CheckStatus | null;
  /** What was handed over: SHA-256 by the caller's id. */
  readonly documents: Map<string, string>;
  /** Moves that the other side has not confirmed. */
  readonly untold: Map<number, CheckVersion>;
}

export interface KycState {
  apply(fact: KycFact): void;
  check(reference: string): Check | undefined;
  checkById(id: string): Check | undefined;
  checks(): Iterable<Check>;
}

/** Everything the provider knows, as its facts tell it. Throws on a fact about an unknown check. */
export function createKycState(): KycState {
  const byReference = new Map<string, Check>();
  const byId = new Map<string, Check>();
  const ahead = new Map<string, CheckStatus>();

  function applyTo(check: Check, fact: Exclude<KycFact, { fact: 'STARTED' | 'ORDERED' }>): void {
    if (fact.fact === 'DOCUMENT') {
      check.documents.set(fact.documentId, fact.sha256);
      if (check.current.status === 'RESUBMISSION_REQUIRED') check.isDirected = false;
      return;
    }
    if (fact.fact === 'DIRECTED') {
      check.isDirected = true;
      return;
    }
    if (fact.fact !== 'MOVED') {
      check.untold.delete(fact.version);
      return;
    }
    const { at, status, reasons } = fact;
    check.current = { version: check.current.version + 1, at, status, reasons };
    check.untold.set(check.current.version, check.current);
    if (status === check.ordered) check.ordered = null;
  }

  return {
    apply(fact) {
      if (fact.fact === 'ORDERED') {
        ahead.set(fact.reference, fact.status);
        return;
      }
      if (fact.fact === 'STARTED') {
        const { id, reference, type, outcome, at } = fact;
        const current: CheckVersion = { version: 1, at, status: 'PENDING', reasons: [] };
        const documents = new Map<string, string>();
        const ordered = ahead.get(reference) ?? null;
        ahead.delete(reference);
        const empty = { isDirected: false, ordered, documents, untold: new Map() };
        const check = { id, reference, type, outcome, current, ...empty };
        byReference.set(reference, check);
        byId.set(id, check);
        return;
      }
      const check = byReference.get(fact.reference);
      if (check === undefined) throw new Error(`sandbox KYC: no check ${fact.reference}`);
      applyTo(check, fact);
    },
    check: (reference) => byReference.get(reference),
    checkById: (id) => byId.get(id),
    checks: () => byReference.values(),
  };
}
