import type { DepositExit } from '../../../../../db/onchain/deposit-exit-store.ts';
import type { DepositHistoryRow } from '../../../../../db/onchain/deposit-history-store.ts';
import type { DepositRow } from '../../../../../db/onchain/deposit-store.ts';
import type { ResourceDeliveryRow } from '../../../../../db/webhooks/resource-delivery-store.ts';
import type { Environment } from '../../../../../domain/scope.ts';
import type { TimeText } from '../../../../kit/time-text.ts';

/** What the page of a deposit shows. */
export interface DepositPageProps {
  readonly environment: Environment;
  readonly deposit: DepositRow;
  readonly confirmations: { readonly have: number; readonly need: number | null };
  readonly history: readonly DepositHistoryRow[];
  readonly exits: readonly DepositExit[];
  readonly deliveries: readonly ResourceDeliveryRow[];
  readonly apiUrl: string;
  readonly times: TimeText;
}
