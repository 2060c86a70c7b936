import { DEFAULT_CALLBACK_TIMINGS } from '../callback-sender.ts';
import type { CallbackTimings } from '../callback-sender.ts';

/** How fast the sandbox KYC provider is; milliseconds, each from the state before. */
export interface KycTimings {
  readonly reviewAfterMs: number;
  readonly decideAfterMs: number;
  readonly revokeAfterMs: number;
  readonly callbacks: CallbackTimings;
}

export const DEFAULT_KYC_TIMINGS: KycTimings = {
  reviewAfterMs: 250,
  decideAfterMs: 400,
  revokeAfterMs: 2_000,
  callbacks: DEFAULT_CALLBACK_TIMINGS,
};
