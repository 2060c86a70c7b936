import type { Database } from '../../db/client/database.ts';
import type { ChainHeads, GasFees } from '../../domain/onchain/chain-facts.ts';
import type { ChainNodes } from '../../domain/onchain/chain-nodes.ts';
import type { ChainPlace } from '../../domain/onchain/network.ts';
import type { SweepRules } from '../../domain/onchain/sweep-rules.ts';
import type { HotRange } from '../../domain/onchain/hot-level.ts';
import type { Signer } from '../../domain/onchain/signer.ts';
import type { Clock } from '../../domain/clock.ts';
import type { AddressScreening } from '../parties/wallets/look-up-address.ts';
import type { CorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import type { WorkflowClient } from '../../domain/workflows/workflow-client.ts';
import type { ChainMemory } from './chain-memory.ts';

/** What one of our chains is set to. */
export interface ChainSettings {
  readonly chainId: bigint;
  /** Nonces that are not final which a signer account has at a time at the most. */
  readonly notFinalMax: number;
  /** The hot addresses that pay, in the mixed case of EIP-55. */
  readonly hotAddresses: readonly string[];
  /** No transaction offers more, whole or as a tip. */
  readonly gasCaps: GasFees;
  /** In the mixed case of EIP-55, as every address here. */
  readonly factory: string;
  readonly treasury: string;
  /** Null: deposits stay where they are. */
  readonly sweeps: SweepRules | null;
  readonly hot: readonly HotRange[];
  /** How soon it is looked at again while something is under way, in ms. */
  readonly pollEveryMs: number;
}

/** What a human must see: ids, addresses and codes. */
export type ChainAlarm =
  | { readonly kind: 'SIGNER_ACCOUNT_FROZEN'; readonly address: string; readonly why: string }
  | { readonly kind: 'STALLED'; readonly address: string; readonly nonce: string }
  | { readonly kind: 'REORGANISED'; readonly paymentId: string }
  /** What was not made by us for it paid its wallet, or something else was paid under its reference. */
  | { readonly kind: 'PAID_OTHERWISE'; readonly paymentId: string }
  /** Two operators said that the transaction paid the payment, and it did not. */
  | { readonly kind: 'DID_NOT_PAY'; readonly paymentId: string; readonly hash: string }
  | { readonly kind: 'REVERTED'; readonly paymentId: string }
  /** Its wallet was rejected or disabled while it waited, or operators look at it: it takes no nonce. */
  | { readonly kind: 'WALLET_NOT_ACTIVE'; readonly paymentId: string }
  /** It has waited for a day, and its wallet's address could not be looked up again: it takes no nonce. */
  | { readonly kind: 'WALLET_UNSCREENED'; readonly paymentId: string }
  /** Less of the coin than 50 transfers cost at most. In wei. */
  | {
      readonly kind: 'LOW_GAS';
      readonly address: string;
      readonly coins: string;
      readonly enough: string;
    }
  /** The hot addresses hold less of an asset than its floor: they are to be filled up. In units of the asset. */
  | {
      readonly kind: 'HOT_LOW';
      readonly asset: string;
      readonly held: string;
      readonly floor: string;
      readonly missing: string;
    }
  /** They hold more than its cap: so much more belongs into the treasury. */
  | {
      readonly kind: 'HOT_HIGH';
      readonly asset: string;
      readonly held: string;
      readonly cap: string;
      readonly surplus: string;
    }
  /** The token moves nothing from there to the treasury. */
  | { readonly kind: 'NOT_SWEPT'; readonly address: string; readonly asset: string }
  /** A token moves nothing of the address's: it is paused, or its issuer has frozen the address. */
  | { readonly kind: 'TOKEN_REFUSES'; readonly address: string; readonly contract: string }
  /** What signers may sign for within an hour is used up: transfers of the asset wait. */
  | { readonly kind: 'HOUR_OVER_CAP'; readonly asset: string }
  /** It waits and is above what signers sign for at a time: it takes no nonce. */
  | { readonly kind: 'AMOUNT_OVER_CAP'; readonly paymentId: string }
  | { readonly kind: 'SIGNING_REFUSED'; readonly address: string; readonly why: string }
  /**
   * A nonce that is taken has nothing signed: all behind it waits. Its signer account is frozen, or no key of it
   * answers.
   */
  | { readonly kind: 'NOT_SIGNED'; readonly address: string; readonly nonce: string }
  /** An address that is given up sent what may be a payment and is none that is known: operators say what it is. */
  | {
      readonly kind: 'FOREIGN_TRANSACTION';
      readonly address: string;
      readonly nonce: string;
      readonly hash: string;
    }
  /** All that is final of an address that is given up is known, and what it signed before may be mined still. */
  | { readonly kind: 'MAY_STILL_PAY'; readonly address: string }
  | { readonly kind: 'UNEXPECTED_STATE'; readonly paymentId: string; readonly status: string };

/** What paying over one chain needs. The database's system side works as the process that signs. */
export interface ChainDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly corridors: CorridorTable;
  readonly place: ChainPlace;
  readonly settings: ChainSettings;
  readonly nodes: ChainNodes;
  /** Looks wallets up whose payments have waited for a day. */
  readonly addressScreening: AddressScreening;
  readonly memory: ChainMemory;
  /** Null where this process has no key of the address. */
  readonly signerOf: (address: string) => Signer | null;
  readonly workflows: Pick<WorkflowClient, 'wakePayment'>;
  readonly alarm: (alarm: ChainAlarm) => void;
  /** Once aborted, the poll cycle goes on no further: another one may have begun beside it. */
  readonly signal?: AbortSignal;
  /** For the log: an error of ours about one thing, which `about` names by ids. The poll cycle goes on. */
  readonly onFault: (about: string, error: unknown) => void;
}

/** A poll cycle's own view of the chain: everything in it is judged by the same blocks. */
export interface PollCycle {
  readonly now: Date;
  readonly heads: ChainHeads;
}
