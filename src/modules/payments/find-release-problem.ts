import { railOf } from '../../domain/payments/payment-destination.ts';
import { lockPartiesForShare, type Parties } from '../../db/parties/party-store.ts';
import { findReleaseStop, lockReleaseShared } from '../../db/operations/release-stop-store.ts';
import { readTravelRuleStatus } from '../../db/payments/travel-rule-store.ts';
import { isAssetListed, type ListedNetworks } from '../../domain/onchain/listed-networks.ts';
import type { StatusDetail } from '../../domain/payments/payment-states.ts';
import { isRateHeld } from '../../domain/payments/quotes/rate-held-until.ts';
import {
  graverOf,
  judgeScreening,
  type ScreeningVerdict,
} from '../../domain/parties/screening/screening-verdict.ts';
import type { TravelRuleStatus } from '../../domain/payments/travel-rule/travel-rule-policy.ts';
import { judgeWalletScreening } from '../../domain/parties/screening/wallet-verdict.ts';
import { passLimits } from './limits/pass-limits.ts';
import type { LockedPayment } from './locked-payment.ts';
import { isProofMissing } from './wallet-proof-rule.ts';

/** What is in a payment's way; UNSCREENED is no state of it, but a look-up that has to be made first. */
export type ReleaseProblem = StatusDetail | 'UNSCREENED';

/** What decides beside the parties whether a payment may leave. */
export interface ReleaseRules {
  /** Parties that were looked up no later than this are looked up again. */
  readonly screenedSince: Date;
  readonly networks: ListedNetworks;
  /** That the rate is over keeps nothing from being sent: the rail judges it, or the payment is priced anew. */
  readonly isRateJudgedLater: boolean;
}

/**
 * Looks once more, just before the money leaves, at everything that may have been withdrawn since the
 * payment was accepted, and at the operators' release switch. A withdrawal, a stop or another list of
 * sanctioned names waits for our commit; once it has committed, every later claim sees it.
 */
export async function findReleaseProblem(
  locked: LockedPayment,
  { screenedSince, networks, isRateJudgedLater }: ReleaseRules,
): Promise<ReleaseProblem | null> {
  const { tx, scope, corridors, payment, now } = locked;
  // Before the look at the parties, which also reads the list in force: see RELEASE_LOCK_SHARED.
  await lockReleaseShared(tx);
  const [parties] = await lockPartiesForShare(tx, scope, [payment], now);
  if (!parties?.endUserStatus || !(parties.accountStatus ?? parties.walletStatus)) {
    throw new Error(`payment ${payment.id} has lost its end-user, account or wallet`);
  }
  const screening = judgeParties(parties, screenedSince, now);
  // First, for it ends the payment whatever else it waits for.
  if (screening === 'REFUSED') return 'COMPLIANCE_DECLINED';
  // Before what else is in the way: a hold that the customer can lift would make the rate an option of theirs.
  if (!isRateJudgedLater && !isRateHeld(payment, now)) return 'QUOTE_EXPIRED';
  if (parties.customerStatus !== 'ACTIVE') return 'CUSTOMER_SUSPENDED';
  if (parties.endUserStatus !== 'ACTIVE') return 'END_USER_NOT_ACTIVE';
  const isToWallet = payment.destination.kind === 'WALLET';
  // Its address was found on a list after the payment was accepted.
  if (parties.walletStatus === 'REJECTED') return 'COMPLIANCE_REVIEW';
  if (isToWallet && parties.walletStatus !== 'ACTIVE') return 'WALLET_NOT_ACTIVE';
  const policy = networks.proofPolicy(payment.environment);
  if (await isProofMissing(policy, tx, scope, payment, parties, now)) return 'WALLET_NOT_PROVED';
  if (!isToWallet && parties.accountStatus !== 'ACTIVE') return 'BANK_ACCOUNT_DISABLED';
  if (parties.kycStatus !== 'APPROVED') return 'KYC_WITHDRAWN';
  const { unit, environment } = payment;
  const rail = railOf(payment.destination);
  const { country, network } = parties;
  const isOpen =
    network === null
      ? corridors.isOpen(country ?? '', unit, rail)
      : isAssetListed(networks, environment, { network, asset: unit });
  if (!isOpen) return 'CORRIDOR_UNAVAILABLE';
  if (screening === 'HIT') return 'COMPLIANCE_REVIEW';
  const stop = await findReleaseStop(tx, scope, rail);
  if (stop !== null) return 'RELEASE_STOPPED';
  if (screening === 'UNSCREENED') return 'UNSCREENED';
  // Counts it: nothing else of the database is in its way now, but what its wallet's provider says.
  if (parties.hasPaymentLimits === true && !(await passLimits(locked))) return 'CUSTOMER_APPROVAL';
  return isToWallet ? travelProblem(await readTravelRuleStatus(tx, scope, payment.id)) : null;
}

/** Last, so that no one is told of a transfer that something else holds. */
function travelProblem(status: TravelRuleStatus | null): ReleaseProblem | null {
  if (status === 'WAITING') return 'TRAVEL_RULE';
  return status === 'REJECTED' ? 'TRAVEL_RULE_REJECTED' : null;
}

function judgeParties(parties: Parties, since: Date, now: Date): ScreeningVerdict {
  const { currentList } = parties;
  const endUser = {
    status: parties.endUserScreening ?? 'UNSCREENED',
    list: parties.endUserScreenedIn,
    at: parties.endUserScreenedAt,
  };
  const account = {
    status: parties.accountScreening ?? 'UNSCREENED',
    list: parties.accountScreenedIn,
    at: parties.accountScreenedAt,
  };
  const payer = judgeScreening({ ...endUser, currentList }, since);
  const { walletScreening: screeningResult, walletScreenedAt: screenedAt } = parties;
  const { walletScreenedFor: screenedFor, walletReview: review } = parties;
  if (parties.walletStatus !== null) {
    const wallet = { screeningResult, screenedAt, screenedFor, review };
    return graverOf(payer, judgeWalletScreening(wallet, now));
  }
  return graverOf(payer, judgeScreening({ ...account, currentList }, since));
}
