import type { Database, ScopedTransaction } from '../../../db/client/database.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import {
  findWallet,
  lockWallet,
  moveWallet,
  type WalletRow,
} from '../../../db/parties/wallet-store.ts';
import type { AskContract } from '../../../domain/onchain/ask-contract.ts';
import { ChainUnreadable } from '../../../domain/onchain/chain-nodes.ts';
import { isSignedBy, proofHash } from '../../../domain/onchain/wallet-proof.ts';
import type { Clock } from '../../../domain/clock.ts';
import { Refusal, refuseField } from '../../../domain/errors/refusal.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import type { RequireVersion } from '../../../domain/require-version.ts';
import type { Environment, Scope } from '../../../domain/scope.ts';
import { messageOf, takesProof, walletEvent } from './wallet-view.ts';

/** Who asks contracts, by environment; none is where it is missing. */
export type ContractWallets = Readonly<Partial<Record<Environment, AskContract>>>;

/** What a signature is worth; UNREADABLE: the chain did not say. */
type ProofFinding = 'VALID' | 'INVALID' | 'UNREADABLE';

interface JudgeProofDeps {
  readonly db: Database;
  readonly contractWallets: ContractWallets;
  readonly publicUrl: string;
}

/**
 * Judges a signature over the message of a wallet, outside any transaction: a node may be asked. A key's own
 * (EIP-191) or, where that is not one, what the contract at the address takes for one (ERC-1271).
 */
export async function judgeProof(
  deps: JudgeProofDeps,
  scope: Scope,
  id: string,
  signature: string,
): Promise<ProofFinding> {
  const row = await deps.db.read(scope, (tx) => findWallet(tx, scope, id));
  if (row === null || !takesProof(row)) return 'INVALID';
  const hash = proofHash(messageOf(row, deps.publicUrl));
  const { network, address } = row;
  if (await isSignedBy(address, hash, signature)) return 'VALID';
  const askContract = deps.contractWallets[scope.environment];
  if (askContract === undefined) return 'INVALID';
  try {
    return (await askContract({ network, address, hash, signature })) ? 'VALID' : 'INVALID';
  } catch (error) {
    if (error instanceof ChainUnreadable) return 'UNREADABLE';
    throw error;
  }
}

/**
 * Marks a wallet as proved. A second time changes nothing. Refuses with not_found, wallet_proof_invalid,
 * service_unavailable, and as `requireVersion` does.
 */
export async function verifyWallet(
  { clock }: { readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  about: { readonly finding: ProofFinding; readonly requireVersion: RequireVersion },
): Promise<WalletRow> {
  const row = requireFound(await lockWallet(tx, scope, id));
  if (row.provedAt !== null) return row;
  about.requireVersion(row.version);
  if (about.finding === 'UNREADABLE') {
    throw new Refusal(
      'service_unavailable',
      'The signature could not be checked at the contract of the wallet. Try again.',
    );
  }
  if (about.finding === 'INVALID' || !takesProof(row)) throw refuseField(...INVALID_PROOF);
  const at = clock.now();
  const proved = await moveWallet(tx, scope, row, { provedAt: at }, at);
  await recordEvent(tx, scope, walletEvent('wallet.verified', proved), at);
  return proved;
}

const INVALID_PROOF = [
  'wallet_proof_invalid',
  '/signature',
  'The signature does not match the wallet and `proof.message`. Sign the exact message with the key of the wallet.',
] as const;
