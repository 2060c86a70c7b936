import type { Rail } from '../../payments/corridors/rail.ts';
import type { AccountPlace } from './rail-rules.ts';

/**
 * How the holder's name compares with the one that the account's bank knows. UNAVAILABLE: no one
 * answered in time. NOT_SUPPORTED: the rail has no such scheme, or no one is there to be asked.
 */
export const NAME_CHECKS = [
  'MATCH',
  'CLOSE_MATCH',
  'NO_MATCH',
  'UNAVAILABLE',
  'NOT_SUPPORTED',
] as const;

export type NameCheck = (typeof NAME_CHECKS)[number];

/** The name and the account that a bank is asked about. */
export interface NameQuestion extends AccountPlace {
  readonly currency: string;
  readonly rail: Rail;
  readonly holderName: string;
  /** Canonical. */
  readonly details: Readonly<Record<string, string>>;
}

/** Asks the one who knows the account: bounded in time, never throws, UNAVAILABLE where it fails. */
export type AskName = (question: NameQuestion) => Promise<NameCheck>;

/**
 * Rails whose banks answer before a payment whose account it is. Sources: EPC218-23, Verification of
 * Payee, and Regulation (EU) 2024/886, article 5c; Pay.UK, Confirmation of Payee; Australian Payments
 * Plus, Confirmation of Payee (2025); Payments NZ and Get Verified, Confirmation of Payee (2024).
 */
const RAILS_WITH_NAME_CHECK: ReadonlySet<Rail> = new Set<Rail>([
  ...(['SEPA', 'SEPA_INSTANT', 'FPS'] as const),
  ...(['BECS', 'NPP', 'BECS_NZ'] as const),
]);

export function hasNameCheck(rail: Rail): boolean {
  return RAILS_WITH_NAME_CHECK.has(rail);
}
