import type { SettlementTiming } from './settlement-timing.ts';

/**
 * READY: written with the payment, nothing of it sent; the payment's end closes it. SENDING: the bytes may be on their way. NOT_SENT: known not to be. UNKNOWN: no one knows. ACCEPTED:
 * the bank works on it. The last three are closed: the transfer moved money, moved none, or came back.
 */
export type AttemptPhase =
  'READY' | 'SENDING' | 'NOT_SENT' | 'UNKNOWN' | 'ACCEPTED' | 'SETTLED' | 'REJECTED' | 'RETURNED';

export type OpenPhase = 'SENDING' | 'NOT_SENT' | 'UNKNOWN' | 'ACCEPTED';

/** One try to move a payment's money, as far as the rules look at it. */
export interface Attempt {
  /** Under which the bank knows it. */
  readonly reference: string;
  readonly phase: AttemptPhase;
  /** How often the bytes went out, or may have. */
  readonly sends: number;
  /** Sends of which no outcome became known. */
  readonly fruitlessSends: number;
  /** The bank refused a send: the same bytes will not be taken. */
  readonly refusedByBank: boolean;
  /** When the first send began; null before it. */
  readonly firstSentAt: Date | null;
  /** When the last send began; of a READY one, when it was written. */
  readonly sentAt: Date;
  /** After it no process sends these bytes. A READY one gets it when it is claimed. */
  readonly deadlineAt: Date;
  /** When the bank itself answered the last send with something that settles nothing. */
  readonly answeredAt: Date | null;
  readonly unknownSince: Date | null;
  /** The distances between questions grow from here. */
  readonly askBaseAt: Date;
  readonly nextAskAt: Date | null;
  /** How often the bank said "never seen" since the last send, late enough to count. */
  readonly missingCount: number;
  readonly lastAnswer: string | null;
  readonly bankReference: string | null;
  readonly reason: string | null;
  readonly settledAt: Date | null;
  /** The bank said REJECTED again when asked: another attempt may follow. */
  readonly isRejectionConfirmed: boolean;
  /**
   * The database was restored from an older copy since: the one before may have sent this reference, or a
   * later one, and how often is not known.
   */
  readonly isRestored: boolean;
  /** What keeps a restored one from being sent, although its rail never saw it; for operators. Null: nothing. */
  readonly heldBy: string | null;
  /** The approval by which two operators said what became of it; null where the bank did, or neither. */
  readonly confirmedBy: string | null;
  readonly updatedAt: Date;
}

const OPEN: ReadonlySet<AttemptPhase> = new Set(['SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED']);

export const isOpenPhase = (phase: AttemptPhase): phase is OpenPhase => OPEN.has(phase);

/** The attempt that may still move money, if any. A payment has one at the most. */
export function openAttemptOf<Row extends Attempt>(attempts: readonly Row[]): Row | null {
  return attempts.find(({ phase }) => isOpenPhase(phase)) ?? null;
}

/** The attempt that waits to be claimed, if any: then none is open. */
export function readyAttemptOf<Row extends Attempt>(attempts: readonly Row[]): Row | null {
  return attempts.find(({ phase }) => phase === 'READY') ?? null;
}

/** The last attempt, where it was rejected and the bank was not asked about it again. */
export function unconfirmedRejectionOf<Row extends Attempt>(attempts: readonly Row[]): Row | null {
  const last = attempts.at(-1);
  return last?.phase === 'REJECTED' && !last.isRejectionConfirmed ? last : null;
}

/** An attempt of which nothing was sent. */
export function readyAttempt(reference: string, now: Date): Attempt {
  return {
    reference,
    phase: 'READY',
    sends: 0,
    fruitlessSends: 0,
    refusedByBank: false,
    firstSentAt: null,
    sentAt: now,
    deadlineAt: now,
    answeredAt: null,
    unknownSince: null,
    askBaseAt: now,
    nextAskAt: null,
    missingCount: 0,
    lastAnswer: null,
    bankReference: null,
    reason: null,
    settledAt: null,
    isRejectionConfirmed: false,
    isRestored: false,
    heldBy: null,
    confirmedBy: null,
    updatedAt: now,
  };
}

/** A READY attempt whose bytes are sent once this is committed. */
export function attemptClaimed<Row extends Attempt>(
  ready: Row,
  now: Date,
  timing: Pick<SettlementTiming, 'attemptDeadlineMs'>,
): Row {
  return {
    ...ready,
    phase: 'SENDING',
    sends: 1,
    firstSentAt: now,
    sentAt: now,
    deadlineAt: new Date(now.getTime() + timing.attemptDeadlineMs),
    unknownSince: now,
    askBaseAt: now,
    updatedAt: now,
  };
}

/**
 * An attempt that the bank may know though this database does not know it sent: the bank is asked, as if
 * the bytes had just gone out. In a restored copy, what an attempt says of sends and of "never seen" is
 * of the life before.
 */
export function attemptRestored<Row extends Attempt>(attempt: Row, now: Date): Row {
  return {
    ...attempt,
    phase: 'UNKNOWN',
    sends: Math.max(1, attempt.sends),
    deadlineAt: now,
    answeredAt: null,
    unknownSince: now,
    askBaseAt: now,
    nextAskAt: now,
    missingCount: 0,
    isRestored: true,
    heldBy: null,
    updatedAt: now,
  };
}

/** The same bytes go out again: they did not leave, or the bank said twice that it never saw them. */
export function attemptSentAgain<Row extends Attempt>(
  attempt: Row,
  now: Date,
  timing: SettlementTiming,
): Row {
  const wasSent = attempt.phase !== 'NOT_SENT';
  return {
    ...attempt,
    phase: 'SENDING',
    sends: attempt.sends + (wasSent ? 1 : 0),
    firstSentAt: attempt.firstSentAt ?? now,
    sentAt: now,
    deadlineAt: new Date(now.getTime() + timing.attemptDeadlineMs),
    answeredAt: null,
    unknownSince: attempt.unknownSince ?? now,
    askBaseAt: now,
    nextAskAt: null,
    missingCount: 0,
    isRestored: false,
    heldBy: null,
    updatedAt: now,
  };
}

/** Ends an attempt of which nothing left, by our own decision. */
export function attemptAbandoned<Row extends Attempt>(
  attempt: Row,
  reason: string,
  now: Date,
): Row {
  return { ...attempt, phase: 'REJECTED', reason, updatedAt: now };
}

/** An operator takes it up again: the bank is asked at once, and every count begins anew. */
export function attemptTakenUp<Row extends Attempt>(attempt: Row, now: Date): Row {
  if (!isOpenPhase(attempt.phase)) {
    return { ...attempt, isRejectionConfirmed: false, nextAskAt: now, updatedAt: now };
  }
  return {
    ...attempt,
    fruitlessSends: 0,
    refusedByBank: false,
    missingCount: 0,
    unknownSince: now,
    askBaseAt: now,
    nextAskAt: now,
    heldBy: null,
    updatedAt: now,
  };
}

/**
 * From when on an answer of the bank speaks of every send: none can be on its way any more. Before, the
 * bank may not have read the last one yet.
 */
export function isSettledDownAt(attempt: Attempt, timing: SettlementTiming): Date {
  const from = attempt.answeredAt ?? attempt.deadlineAt;
  return new Date(from.getTime() + timing.missingAfterMs);
}
