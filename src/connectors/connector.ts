/** A payment as a bank is told of it. */
export interface TransferInstruction {
  /** Ours, [A-Z0-9], at most 35 (EndToEndId). */
  reference: string;
  /** Decimal text in major units. */
  amount: string;
  currency: string;
  rail: string;
  creditor: {
    name: string;
    account: Record<string, string>;
    country: string;
  };
  remittance: string;
}

export interface TransferRequest {
  reference: string;
  /** Exactly the bytes that were committed before the send. */
  body: Uint8Array;
}

/** Why something is not known: a closed set of codes, never a foreign message. */
export type Why =
  | 'CONNECT_TIMEOUT'
  | 'CONNECT_FAILED'
  | 'DNS_FAILED'
  | 'TLS_FAILED'
  | 'TIMEOUT'
  | 'RESET'
  | 'GARBAGE'
  | 'TOO_LARGE'
  | `HTTP_${number}`;

/** `bankReference` and `reason` are bounded text: see bank-words.ts. */
export type SubmitAnswer =
  /** Proven: not one byte of the request was written. */
  | { kind: 'NOT_SENT'; why: Why }
  | {
      kind: 'ANSWERED';
      status: 'ACCEPTED' | 'SETTLED' | 'REJECTED';
      bankReference?: string;
      reason?: string;
    }
  | { kind: 'REFUSED'; httpStatus: 401 | 403 | 409 }
  /** 503. Whether the bank knows the transfer has to be asked. */
  | { kind: 'UNAVAILABLE' }
  | { kind: 'UNKNOWN'; why: Why };

export type AskAnswer =
  | {
      kind: 'FOUND';
      status: 'ACCEPTED' | 'SETTLED' | 'REJECTED' | 'RETURNED';
      bankReference?: string;
      reason?: string;
      /** ISO 8601 in UTC. */
      settledAt?: string;
    }
  /** The bank says that it has never seen the reference. */
  | { kind: 'MISSING' }
  | { kind: 'UNKNOWN'; why: Why };

export interface StatementSummary {
  id: string;
  sequence: bigint;
  account: string;
  /** ISO 8601 in UTC. */
  from: string;
  to: string;
}

/** Milliseconds for everything: waiting for a connection, sending, the whole answer. */
export interface CallLimit {
  timeoutMs: number;
}

/** A way money leaves by. `submit` and `ask` never throw for anything the bank or the network does. */
export interface Rail {
  name: string;
  /** The bytes to commit before the send; the same instruction gives the same bytes. */
  encode(instruction: TransferInstruction): Uint8Array;
  submit(request: TransferRequest, limit: CallLimit): Promise<SubmitAnswer>;
  ask(reference: string, limit: CallLimit): Promise<AskAnswer>;
  /** In ascending order of sequence, all beyond `after`. Throws RailUnreadable. */
  listStatements(after: bigint): Promise<StatementSummary[]>;
  /** The statement's bytes as they arrive. Throws RailUnreadable, also while they are read. */
  openStatement(id: string): Promise<AsyncIterable<Uint8Array>>;
}

/** A rail could not be read from; trying again later is safe. */
export class RailUnreadable extends Error {
  override readonly name = 'RailUnreadable';
  readonly why: Why;

  constructor(why: Why) {
    super(`the rail could not be read: ${why}`);
    this.why = why;
  }
}
