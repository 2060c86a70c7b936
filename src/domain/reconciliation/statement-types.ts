/** Which way money moved on our account: CRDT came in, DBIT left (ISO 20022 CreditDebitCode). */
export type Direction = 'CRDT' | 'DBIT';

/** ISO 20022 ExternalEntryStatus1Code as far as it matters here. Only BOOK moved money. */
export type EntryStatus = 'BOOK' | 'PDNG' | 'INFO';

/** An amount as a bank writes it: plain decimal text, never negative. */
export interface StatementMoney {
  readonly amount: string;
  readonly currency: string;
}
