/** REFUSED: its number is not credible. UNREADABLE: it is fetched again. */
export type StatementStatus = 'LISTED' | 'READ' | 'RECONCILED' | 'UNREADABLE' | 'REFUSED';
