import type { Finality } from '../../domain/payments/finality.ts';

/** Who must act before a step comes. RAIL: it opens. NETWORK: a block of it. US: it comes by itself. */
export const WAITS_FOR = ['US', 'RAIL', 'BANK', 'NETWORK', 'PARTNER', 'OPERATOR'] as const;

export type WaitsFor = (typeof WAITS_FOR)[number];

/** A step of a payment, done or expected. */
export interface TimelineRow {
  /** ISO 8601; null where it is not known. */
  readonly at: string | null;
  readonly status: string;
  readonly statusDetail: string;
  readonly fundsStatus: string;
  readonly reconciliationStatus: string;
  readonly finality: Finality;
  readonly version: number | null;
  readonly expected: boolean;
  /** Of what has not happened yet: who must act first. */
  readonly waitsFor: WaitsFor | null;
}
