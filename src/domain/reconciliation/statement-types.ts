/** Which way money moved on our account: CRDT came in, DBIT left (ISO 20022 CreditDebitCode). */
export type Direction = 'CRDT' | 'DBIT';

/** ISO 20022 ExternalEntryStatus1Code as far as it matters here. Only BOOK moved money. */
export type EntryStatus = 'BOOK' | 'PDNG' | 'INFO';

/**
 * What a report of a bank covers: DAY, a whole period with its balances (camt.053); INTRADAY, what was booked so far
 * (camt.052); ADVICE, single bookings (camt.054). One booking may be on a report of each kind.
 */
export type ReportKind = 'DAY' | 'INTRADAY' | 'ADVICE';

/** An amount as a bank writes it: plain decimal text, never negative. */
export interface StatementMoney {
  readonly amount: string;
  readonly currency: string;
}
