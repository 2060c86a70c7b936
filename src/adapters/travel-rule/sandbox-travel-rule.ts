import type {
  TravelRuleProvider,
  TravelTransfer,
  VaspAnswer,
} from '../../domain/payments/travel-rule/travel-rule-provider.ts';

/**
 * The VASPs of the sandbox, by the name of a wallet's host: one with `Reject` in it rejects, one with `Silent` never
 * answers, and every other accepts. No request leaves the process, and nothing is kept.
 */
export const SANDBOX_TRAVEL_RULE: TravelRuleProvider = {
  announce: (_transferId, { vasp }: TravelTransfer) => Promise.resolve(answerOf(vasp?.name ?? '')),
  // It keeps nothing, so it knows of none: the transfer is announced again.
  ask: () => Promise.resolve(null),
};

function answerOf(name: string): VaspAnswer {
  if (/reject/i.test(name)) return 'REJECTED';
  return /silent/i.test(name) ? 'PENDING' : 'ACCEPTED';
}
