import type { NamedVasp } from './ivms101.ts';

/** Whether a record goes with transfers to wallets, and whose. */
export interface TravelRulePolicy {
  /** Who sends; null: transfers carry no record. */
  readonly originatingVasp: NamedVasp | null;
  /** Whether the hosts of wallets can be asked: without, no HOSTED wallet is paid under the rule. */
  readonly areHostsAsked: boolean;
}

/** Transfers carry no record. */
export const NO_TRAVEL_RULE: TravelRulePolicy = { originatingVasp: null, areHostsAsked: false };

/** STORED: no VASP keeps the wallet. WAITING: its VASP has not answered. */
export type TravelRuleStatus = 'STORED' | 'WAITING' | 'ACCEPTED' | 'REJECTED';

/** A VASP that does not answer for so long ends the payment. Milliseconds: 30 days. */
export const TRAVEL_RULE_MAX_MS = 30 * 24 * 60 * 60 * 1000;
