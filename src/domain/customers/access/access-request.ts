export const ACCESS_REQUEST_STATUSES = ['WAITING', 'APPROVED', 'DECLINED', 'EXPIRED'] as const;
export type AccessRequestStatus = (typeof ACCESS_REQUEST_STATUSES)[number];

/** What a person who asks for access tells. All of it is personal: sealed, and erased with the request. */
export interface AccessRequestDetails {
  readonly company: string;
  readonly name: string;
  /** As `readEmailAddress` answers it. */
  readonly address: string;
  /** What they want to pay, in their words. */
  readonly purpose: string;
}

const DAY_MS = 24 * 3_600_000;

/** Operators are reminded once of a request that no one has decided so long. In days. */
export const REMINDER_DAYS = 2;
/** A request that no one has decided so long is expired and erased, in ms. */
export const REQUEST_LIFE_MS = 90 * DAY_MS;
/** What was told is erased so long after the decision, in ms. */
export const DECIDED_LIFE_MS = 30 * DAY_MS;

/** What of a request's row says what comes next. */
export interface AccessRequestTimes {
  readonly status: AccessRequestStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
  readonly toldAt: Date | null;
  readonly remindedAt: Date | null;
  readonly fundedAt: Date | null;
  readonly erasedAt: Date | null;
}

/** What the engine does to a request, each once: see `advance_access_request` in the database. */
export type AccessRequestStep = 'TELL' | 'REMIND' | 'EXPIRE' | 'FUND' | 'ERASE';

export type NextRequestStep =
  | { readonly kind: 'STEP'; readonly step: AccessRequestStep }
  | { readonly kind: 'WAIT'; readonly waitMs: number }
  | { readonly kind: 'DONE' };

/** What is to be done for a request now, or how long there is nothing to do. */
export function nextRequestStep(request: AccessRequestTimes, now: Date): NextRequestStep {
  if (request.erasedAt !== null) return { kind: 'DONE' };
  const stepAt = (step: AccessRequestStep, at: number): NextRequestStep =>
    at <= now.getTime() ? { kind: 'STEP', step } : { kind: 'WAIT', waitMs: at - now.getTime() };
  if (request.decidedAt !== null) {
    if (request.status === 'APPROVED' && request.fundedAt === null) return stepAt('FUND', 0);
    return stepAt('ERASE', request.decidedAt.getTime() + DECIDED_LIFE_MS);
  }
  // First: of a request that is over no one is told any more.
  if (request.expiresAt <= now) return stepAt('EXPIRE', 0);
  if (request.toldAt === null) return stepAt('TELL', 0);
  if (request.remindedAt === null) {
    return stepAt('REMIND', request.createdAt.getTime() + REMINDER_DAYS * DAY_MS);
  }
  return stepAt('EXPIRE', request.expiresAt.getTime());
}
