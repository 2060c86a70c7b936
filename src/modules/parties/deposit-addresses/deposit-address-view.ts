import type {
  DepositAddressRow,
  DepositAddressStatus,
} from '../../../db/parties/deposit-address-store.ts';
import type { Network } from '../../../domain/onchain/network.ts';
import type { ListedNetwork } from '../../../domain/onchain/network-setup.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { ANY_STABLECOIN } from '../../../domain/money/currencies.ts';
import type { EventType } from '../../../domain/webhooks/event-types.ts';

/** A deposit address as events show it. */
interface DepositAddressFacts {
  readonly id: string;
  readonly endUserId: string | null;
  readonly bankAccountId: string | null;
  readonly walletId: string | null;
  /** Major units of whatever asset comes. */
  readonly minAmount: string;
  /** In EIP-55's case; the same on all networks. */
  readonly address: string;
  readonly status: DepositAddressStatus;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A deposit address as the API shows it. */
interface DepositAddressView extends DepositAddressFacts {
  /** Where it takes which assets, as the environment lists them now. */
  readonly networks: { network: Network; assets: string[] }[];
}

export const viewDepositAddress = (
  row: DepositAddressRow,
  networks: readonly Pick<ListedNetwork, 'network' | 'assets'>[],
): DepositAddressView => ({
  ...facts(row),
  networks: networks.map(({ network, assets }) => ({
    network,
    assets: assets.map(({ asset }) => asset),
  })),
});

/** The event of a deposit address's present version. */
export const depositAddressEvent = (
  type: Extract<EventType, `deposit_address.${string}`>,
  row: DepositAddressRow,
): EventDraft => ({
  type,
  resourceType: 'deposit_address',
  resourceId: row.id,
  resourceVersion: row.version,
  data: { ...facts(row) },
});

function facts(row: DepositAddressRow): DepositAddressFacts {
  return {
    id: row.id,
    endUserId: row.endUserId,
    bankAccountId: row.bankAccountId,
    walletId: row.walletId,
    minAmount: formatAmount(row.minAmount, ANY_STABLECOIN),
    address: row.address,
    status: row.status,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
