/** What is known of a party's names: the column `screening_status` of end-users and bank accounts. */
export type ScreeningStatus = 'UNSCREENED' | 'CLEAR' | 'HIT' | 'RELEASED' | 'REFUSED';

/** A party's last screening, and the list that is in force now. */
interface PartyScreening {
  readonly status: ScreeningStatus;
  readonly list: string | null;
  readonly at: Date | null;
  /** Null: the environment has no list yet. */
  readonly currentList: string | null;
}

/**
 * Whether money may leave for or to the party. UNSCREENED also stands for what is out of date: looked
 * up in an older list, or not after `since`.
 */
export type ScreeningVerdict = 'CLEARED' | 'UNSCREENED' | 'HIT' | 'REFUSED';

/** The rule that the guarded claim has in SQL (src/db/payments/ready-attempt-store.ts). */
export function judgeScreening(party: PartyScreening, since: Date): ScreeningVerdict {
  const { status, list, at, currentList } = party;
  if (status === 'REFUSED' || status === 'HIT') return status;
  const isScreened = status === 'CLEAR' || status === 'RELEASED';
  const isCurrent = currentList !== null && list === currentList && at !== null && at > since;
  return isScreened && isCurrent ? 'CLEARED' : 'UNSCREENED';
}

const GRAVITY: readonly ScreeningVerdict[] = ['REFUSED', 'HIT', 'UNSCREENED', 'CLEARED'];

/** The graver of the verdicts on both parties of a payment. */
export function graverOf(one: ScreeningVerdict, other: ScreeningVerdict): ScreeningVerdict {
  return GRAVITY.find((verdict) => verdict === one || verdict === other) ?? 'UNSCREENED';
}
