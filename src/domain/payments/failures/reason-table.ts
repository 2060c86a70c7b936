import type { FailureCode } from './failure-catalogue.ts';

/** Codes of a rail, as they are written there, and which of our reasons each one is. */
export type ReasonTable = ReadonlyMap<string, FailureCode>;

/** By reason, for reading; a rail's codes stand in one line with blanks between. */
export function reasonTable(byReason: Readonly<Partial<Record<FailureCode, string>>>): ReasonTable {
  const pairs = Object.entries(byReason).flatMap(([code, railCodes]) =>
    railCodes.split(' ').map((railCode) => [railCode, code as FailureCode] as const),
  );
  return new Map(pairs);
}
