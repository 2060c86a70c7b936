import type { WalletOwnership, WalletRow, WalletStatus } from '../../../db/parties/wallet-store.ts';
import type { Network } from '../../../domain/onchain/network.ts';
import { proofMessage } from '../../../domain/onchain/wallet-proof.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import type { EventType } from '../../../domain/webhooks/event-types.ts';
import { isErased } from '../../../vault/owner-key.ts';
import type { Vault } from '../../../vault/vault.ts';
import { walletOwner } from './wallet-owner.ts';
import { walletRow, type WalletVasp } from './wallet-vasp.ts';

/** A wallet as events show it: neither its address nor its host. */
interface WalletFacts {
  readonly id: string;
  readonly endUserId: string | null;
  readonly network: Network;
  readonly ownership: WalletOwnership;
  readonly status: WalletStatus;
  readonly provedAt: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A wallet as the API shows it. */
interface WalletView extends WalletFacts {
  readonly address: string;
  readonly vasp: WalletVasp | null;
  /** What the owner signs to show that it is theirs; null where there is nothing to prove any more. */
  readonly proof: { readonly message: string } | null;
}

interface WalletViewDeps {
  readonly vault: Pick<Vault, 'of' | 'openJson'>;
  /** Of the API, as partners reach it: its host asks for the proof. */
  readonly publicUrl: string;
}

/** What is shown in the place of an erased end-user's address and host. */
const ERASED = '****';

export function viewWallet(row: WalletRow, deps: WalletViewDeps): WalletView {
  if (isErased(row)) return { ...facts(row), address: ERASED, vasp: null, proof: null };
  const owner = walletOwner(row);
  const sealer = owner === null ? deps.vault : deps.vault.of(owner);
  return {
    ...facts(row),
    address: row.address,
    vasp: row.vasp === null ? null : sealer.openJson<WalletVasp>(row.vasp, walletRow(row.id)),
    proof:
      row.provedAt === null && takesProof(row) ? { message: messageOf(row, deps.publicUrl) } : null,
  };
}

/** The message of a wallet's proof. */
export const messageOf = (row: WalletRow, publicUrl: string): string =>
  proofMessage({
    host: new URL(publicUrl).host,
    walletId: row.id,
    network: row.network,
    address: row.address,
    nonce: row.proofNonce,
  });

/**
 * Whether its owner may sign for it: only the owner of a key can, and a host's customers have none. Of an erased
 * end-user's the address is gone.
 */
export const takesProof = (row: WalletRow): boolean => !isErased(row) && isProvable(row);

const isProvable = ({ ownership, status }: WalletRow): boolean =>
  ownership === 'SELF_HOSTED' && (status === 'PENDING' || status === 'ACTIVE');

/** The event of a wallet's present version. */
export const walletEvent = (
  type: Extract<EventType, `wallet.${string}`>,
  row: WalletRow,
): EventDraft => ({
  type,
  resourceType: 'wallet',
  resourceId: row.id,
  resourceVersion: row.version,
  data: { ...facts(row) },
});

function facts(row: WalletRow): WalletFacts {
  return {
    id: row.id,
    endUserId: row.endUserId,
    network: row.network,
    ownership: row.ownership,
    status: row.status,
    provedAt: row.provedAt?.toISOString() ?? null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
