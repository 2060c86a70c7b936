import type { ScreeningCaseRow } from '../../../db/parties/screening-case-store.ts';
import type { PartyRef } from '../../../domain/workflows/work-refs.ts';

/** Whom a case is about. */
export function partyOf({
  endUserId,
  bankAccountId,
}: Pick<ScreeningCaseRow, 'endUserId' | 'bankAccountId'>): PartyRef {
  if (endUserId !== null) return { kind: 'END_USER', id: endUserId };
  if (bankAccountId !== null) return { kind: 'BANK_ACCOUNT', id: bankAccountId };
  throw new Error('a case is about an end-user or a bank account');
}
