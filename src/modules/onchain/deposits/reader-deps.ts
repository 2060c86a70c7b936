import type { Database } from '../../../db/client/database.ts';
import type { ChainHeads } from '../../../domain/onchain/chain-facts.ts';
import type { ChainNodes } from '../../../domain/onchain/chain-nodes.ts';
import type { ChainPlace, ListedAsset } from '../../../domain/onchain/network.ts';
import type { TransferLogs } from '../../../domain/onchain/transfer-logs.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { AskAddress } from '../../../domain/parties/screening/address-screening.ts';
import type { WorkflowClient } from '../../../domain/workflows/workflow-client.ts';

/** A token that is read. */
interface ReadAsset extends Pick<ListedAsset, 'asset' | 'contract'> {
  /** Minor units: a transfer of at least that is a deposit, one below is only counted: docs/adr/0122. */
  readonly floor: bigint;
}

/** What one chain is read for. */
interface ReaderSettings {
  /** The tokens that are deposits; of any other contract nothing is. */
  readonly assets: readonly ReadAsset[];
  /** Where deposits are swept to, by whomever; in EIP-55's case. */
  readonly treasury: string;
  /** How soon it is looked at again while something is expected, in ms. */
  readonly pollEveryMs: number;
  /** The same while nothing is. */
  readonly restEveryMs: number;
}

/** What a human must see: ids, addresses and codes. */
export type ReaderAlarm =
  /** A block that was final is not of the chain any more; the network is stopped. */
  | { readonly kind: 'FINAL_BLOCK_GONE'; readonly block: string }
  /** The block that two operators named is not one that both providers give as final now: it stays stopped. */
  | { readonly kind: 'RESUMPTION_REFUSED'; readonly block: string }
  /** What was credited is taken back. */
  | { readonly kind: 'DEPOSIT_ORPHANED'; readonly depositId: string }
  /** What is at an address is not what the books say, and reading all again does not explain it. */
  | { readonly kind: 'TOKENS_UNEXPLAINED'; readonly address: string; readonly asset: string }
  /** Both providers had left it out, and its tokens were there. */
  | { readonly kind: 'DEPOSIT_LEFT_OUT'; readonly address: string; readonly asset: string }
  /**
   * The database refused it, with the SQLSTATE `why`, or the receipt of its transaction is TOO_LARGE to be read: it is
   * tried again, and those behind it go on.
   */
  | {
      readonly kind: 'DEPOSIT_SET_ASIDE';
      readonly txHash: string;
      readonly ordinal: number;
      readonly why: string;
    }
  /** More than the books can hold. */
  | { readonly kind: 'AMOUNT_TOO_LARGE'; readonly address: string; readonly txHash: string };

/** What reading one chain needs. It takes no key. */
export interface ReaderDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly place: ChainPlace;
  readonly settings: ReaderSettings;
  readonly nodes: Pick<
    ChainNodes,
    'heads' | 'blockAt' | 'blocksAt' | 'findReceipts' | 'tokenBalances'
  > &
    TransferLogs;
  /** Looks senders up; null where no provider does: then every deposit waits for operators. */
  readonly askAddress: AskAddress | null;
  /** Deposits whose sender could not be looked up lately, by id: this process asks about the others first. */
  readonly failedLookUps: Set<string>;
  readonly workflows: Pick<WorkflowClient, 'wakePayment'>;
  readonly alarm: (alarm: ReaderAlarm) => void;
  /** Ends the work between two of its parts: one that timed out is not to go on beside the next one. */
  readonly signal?: AbortSignal;
}

/** A poll cycle's own view of the chain. */
export interface ReaderCycle {
  readonly heads: ChainHeads;
}
