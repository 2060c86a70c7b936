import { isDecided, type KycStatus } from './kyc-states.ts';

/**
 * What the hosted page of a check does.
 * PREPARING   the check is not open at the provider yet
 * GIVE        documents are asked for
 * GIVEN       they were submitted: the provider is at it
 * AT_PROVIDER nothing is asked for here: the provider's own page goes on
 * OVER        decided, or about data that has changed since
 */
export type KycPageStep = 'PREPARING' | 'GIVE' | 'GIVEN' | 'AT_PROVIDER' | 'OVER';

/** What the step of a page follows from. */
interface KycPageFacts {
  readonly status: KycStatus;
  readonly isOutdated: boolean;
  readonly isOpenAtProvider: boolean;
  readonly asksForDocuments: boolean;
  /** Whether any document of the check was submitted. */
  readonly hasGiven: boolean;
}

export function kycPageStep(facts: KycPageFacts): KycPageStep {
  const isOver = isDecided(facts.status) || facts.isOutdated;
  if (!facts.isOpenAtProvider) return isOver ? 'OVER' : 'PREPARING';
  if (!facts.asksForDocuments) return 'AT_PROVIDER';
  if (isOver) return 'OVER';
  // A provider may say IN_REVIEW before it has any document.
  return facts.status === 'IN_REVIEW' && facts.hasGiven ? 'GIVEN' : 'GIVE';
}
