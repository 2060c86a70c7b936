import type { DepositExit } from '../../../db/deposit-exit-store.ts';
import type { DepositHistoryRow } from '../../../db/deposit-history-store.ts';
import type { DepositRow } from '../../../db/deposit-store.ts';
import type { ResourceDeliveryRow } from '../../../db/resource-delivery-store.ts';
import type { Environment } from '../../../domain/scope.ts';
import type { TimeText } from '../../../web/time-text.ts';

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
