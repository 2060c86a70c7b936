import type { AnyTransaction } from '../../../db/client/database.ts';
import { mailOwners, type OwnerMailDeps } from '../mail/mail-owners.ts';

export interface LiveMailDeps extends OwnerMailDeps {
  /** Where browsers reach the dashboard. */
  readonly dashboardUrl: string;
  /** Hands a mail on whose transaction has committed. */
  readonly dispatchMail: (mailId: string) => void;
}

/** Tells a customer's owners what was decided, in the transaction that decides; answers the mails' ids. */
export function mailLiveDecision(
  deps: LiveMailDeps,
  tx: AnyTransaction,
  customerId: string,
  decision: 'APPROVED' | 'DECLINED' | 'WITHDRAWN',
): Promise<string[]> {
  const facts = { decision, url: `${deps.dashboardUrl}/going-live` };
  return mailOwners(deps, tx, customerId, { kind: 'LIVE_ACCESS_DECIDED', facts });
}
