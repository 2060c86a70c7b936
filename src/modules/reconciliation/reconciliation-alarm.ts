/** What a human should look at soon. The same is in the database; this goes to the log. */
export type ReconciliationAlarmKind =
  /** The bank's numbering skips statements. */
  | 'SEQUENCE_GAP'
  /** A number too far beyond the highest: the statement is refused. */
  | 'SEQUENCE_JUMP'
  /** The bank's numbering begins anew. */
  | 'SEQUENCE_RESTART'
  /** Nothing of a connector has been reconciled for too long. */
  | 'STATEMENTS_STALE'
  /** The bank lists a statement under an id or a sequence that another one has. */
  | 'STATEMENT_CONFLICT'
  | 'STATEMENT_UNREADABLE'
  /** Single entries could not be read; the rest was. */
  | 'ENTRIES_UNREADABLE'
  /** Opening balance + entries is not the closing balance. */
  | 'BALANCE_MISMATCH'
  /** A batch's transactions do not add up to what its entry moved. */
  | 'BATCH_MISMATCH'
  /** A line, or the lack of one, that does not agree with what we know. */
  | 'EXCEPTION';

/** Its facts are ids, codes and amounts, never a bank's free text. */
export type ReconciliationAlarm = { readonly kind: ReconciliationAlarmKind } & Readonly<
  Record<string, string | number | null>
>;

export type RaiseAlarm = (alarm: ReconciliationAlarm) => void;
