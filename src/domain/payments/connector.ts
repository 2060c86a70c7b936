import type { TransferOrder } from './transfer-order.ts';
import type { StatementPiece } from '../reconciliation/statement-piece.ts';
import type { AskAnswer, SubmitAnswer } from './transfer-report.ts';

/** Milliseconds for everything: waiting for a connection, sending, the whole answer. */
interface CallLimit {
  readonly timeoutMs: number;
}

/** What a connector declares of itself; wiring chooses by it. */
interface ConnectorCapabilities {
  /** The rails that it pays over. ALL: every rail of banks, and no network. */
  readonly rails: readonly string[] | 'ALL';
}

/** The exact bytes that a connector sends for a transfer. */
export type EncodedTransfer = Uint8Array;

interface TransferToSubmit {
  /** Ours, [A-Z0-9], at most 35 (EndToEndId). */
  readonly reference: string;
  /** As it was committed before the send. */
  readonly encodedTransfer: EncodedTransfer;
}

/**
 * A way money leaves by. It answers in the settlement rules' own types: what a protocol's codes mean is
 * judged here and nowhere else. `submit` and `ask` never throw for anything that the bank or the
 * network does; whatever is doubtful is SILENCE or UNCLEAR, which costs a question and never money.
 */
export interface PayoutConnector {
  readonly name: string;
  readonly capabilities: ConnectorCapabilities;
  /** The bytes to commit before the send; the same order gives the same bytes. */
  encode(order: TransferOrder): EncodedTransfer;
  /** Sends once. NOT_SENT only where no byte was written. */
  submit(transfer: TransferToSubmit, limit: CallLimit): Promise<SubmitAnswer>;
  /** Asks where a transfer stands. Safe at any time and as often as wanted. */
  ask(reference: string, limit: CallLimit): Promise<AskAnswer>;
}

export interface StatementSummary {
  readonly id: string;
  readonly sequence: bigint;
  readonly account: string;
  /** ISO 8601 in UTC. */
  readonly from: string;
  readonly to: string;
}

/**
 * Where a bank's statements are read, in whichever format. Both throw SourceUnreadable where the bank
 * cannot be read now: trying again later is safe.
 */
export interface StatementSource {
  /** The connector's name: statements are kept by it. */
  readonly name: string;
  /** In ascending order of sequence, all beyond `after`. */
  listStatements(after: bigint): Promise<readonly StatementSummary[]>;
  /**
   * The statement in pieces as they arrive, in flat memory. Throws StatementUnreadable where the file
   * itself is broken, after the pieces before that.
   */
  readStatement(id: string): AsyncIterable<StatementPiece>;
}

/** What a payer sends, as the sandbox bank is told of it. */
interface SandboxDeposit {
  readonly id: string;
  /** Decimal text with exactly the currency's decimals. */
  readonly amount: string;
  readonly currency: string;
  /** What the payer writes. */
  readonly remittance: string;
}

/** SILENCE: the outcome is not known, and asking again is safe. REFUSED: it never will. */
export type DepositAnswer = 'TAKEN' | 'REFUSED' | 'SILENCE';

/** Where deposits of the test environment are made. Never throws for what bank or network do. */
export interface SandboxDepositor {
  deposit(deposit: SandboxDeposit, limit: CallLimit): Promise<DepositAnswer>;
}

/** Statements could not be read from their source, for a reason of the connector's own. */
export class SourceUnreadable extends Error {
  override readonly name = 'SourceUnreadable';
  readonly why: string;

  constructor(why: string) {
    super(`the statements could not be read: ${why}`);
    this.why = why;
  }
}
