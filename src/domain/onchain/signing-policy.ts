import type { GasFees } from './chain-facts.ts';
import { decodeSweepCall } from './sweep-call.ts';
import { decodeUnsigned, type ChainTransaction } from './transaction.ts';
import { decodeTransferCall } from './transfer-call.ts';

/**
 * Why a signer signs nothing, as `SigningRefused.why`. Only for HOUR_OVER_CAP can asking again help: once
 * what was signed for is an hour old. The last two are about the key store, not the transaction.
 */
export const SIGNING_REFUSALS = [
  'UNREADABLE',
  'OTHER_CHAIN',
  'FEE_OVER_CAP',
  'GAS_OVER_CAP',
  'COIN_WITH_CALL',
  'UNKNOWN_CALL',
  'UNKNOWN_TOKEN',
  'BAD_RECIPIENT',
  'AMOUNT_OVER_CAP',
  'HOUR_OVER_CAP',
  'TOO_MANY_SALTS',
  'COIN_TRANSFER',
  'OTHER_KEY',
  'BAD_SIGNATURE',
] as const;
export type SigningRefusal = (typeof SIGNING_REFUSALS)[number];

/** How much of one asset may be signed for, in minor units. */
export interface SigningCaps {
  readonly transactionMax: bigint;
  /** Over all signer accounts of the network, in any 60 minutes. */
  readonly hourMax: bigint;
}

/** A token that may be sent. */
interface TokenRule extends SigningCaps {
  readonly asset: string;
  /** In EIP-55's mixed case, as every address here. */
  readonly contract: string;
}

/** What one hot address may sign on one network. */
export interface SigningRules {
  readonly chainId: bigint;
  readonly address: string;
  readonly factory: string;
  readonly tokens: readonly TokenRule[];
  /** No transaction offers more, whole or as a tip. */
  readonly gasCaps: GasFees;
}

/** What a transaction spends, and how much of that an hour may. */
export interface Spending {
  readonly asset: string;
  readonly amount: bigint;
  readonly hourMax: bigint;
}

type SigningJudgement =
  | {
      readonly ok: true;
      readonly transaction: ChainTransaction;
      /** Null where nothing leaves our own addresses: a sweep, or a nonce that is used up. */
      readonly spending: Spending | null;
    }
  | { readonly ok: false; readonly why: SigningRefusal };

/**
 * The most gas of a call. A transfer of Circle's token takes 65,000, on Arbitrum more for what it costs
 * on L1; a sweep of 50 new addresses some 6,000,000.
 */
export const GAS_MAX = 1_000_000n;
export const SWEEP_GAS_MAX = 10_000_000n;
export const SALTS_MAX = 50;

/** The zero address; in a sweep it stands for the network's own coin. */
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/**
 * Reads what is to be signed and lets through only: a marked `transfer` of a listed token, a sweep by our
 * factory, and 0 wei to the address itself. Judges each by itself; what an hour may
 * spend the caller adds up.
 */
export function judgeSigning(unsigned: Uint8Array, rules: SigningRules): SigningJudgement {
  const transaction = decodeUnsigned(unsigned);
  if (transaction === null) return refuse('UNREADABLE');
  if (transaction.chainId !== rules.chainId) return refuse('OTHER_CHAIN');
  if (isOverCap(transaction, rules.gasCaps)) return refuse('FEE_OVER_CAP');
  if (transaction.data.length === 0) return judgeCoin(transaction, rules);
  if (transaction.value !== 0n) return refuse('COIN_WITH_CALL');
  if (transaction.to === rules.factory) return judgeSweep(transaction, rules);
  return judgeTransfer(transaction, rules);
}

const isOverCap = (fees: GasFees, caps: GasFees): boolean =>
  fees.maxFeePerGas > caps.maxFeePerGas || fees.maxPriorityFeePerGas > caps.maxPriorityFeePerGas;

function judgeCoin(transaction: ChainTransaction, rules: SigningRules): SigningJudgement {
  const { to, value, gas } = transaction;
  if (gas > GAS_MAX) return refuse('GAS_OVER_CAP');
  if (to !== rules.address || value !== 0n) return refuse('COIN_TRANSFER');
  return { ok: true, transaction, spending: null };
}

function judgeSweep(transaction: ChainTransaction, { tokens }: SigningRules): SigningJudgement {
  const call = decodeSweepCall(transaction.data);
  if (call === null) return refuse('UNKNOWN_CALL');
  const isKnown =
    call.token === ZERO_ADDRESS || tokens.some(({ contract }) => contract === call.token);
  if (!isKnown) return refuse('UNKNOWN_TOKEN');
  if (call.salts.length > SALTS_MAX) return refuse('TOO_MANY_SALTS');
  if (transaction.gas > SWEEP_GAS_MAX) return refuse('GAS_OVER_CAP');
  return { ok: true, transaction, spending: null };
}

function judgeTransfer(transaction: ChainTransaction, rules: SigningRules): SigningJudgement {
  const token = rules.tokens.find(({ contract }) => contract === transaction.to);
  if (token === undefined) return refuse('UNKNOWN_TOKEN');
  const call = decodeTransferCall(transaction.data);
  if (call === null) return refuse('UNKNOWN_CALL');
  if (transaction.gas > GAS_MAX) return refuse('GAS_OVER_CAP');
  // Whatever is sent there is lost.
  const graves = [ZERO_ADDRESS, rules.factory, ...rules.tokens.map(({ contract }) => contract)];
  if (graves.includes(call.to)) return refuse('BAD_RECIPIENT');
  return judgeAmount(transaction, { asset: token.asset, amount: call.amount, caps: token });
}

function judgeAmount(
  transaction: ChainTransaction,
  { asset, amount, caps }: Omit<Spending, 'hourMax'> & { readonly caps: SigningCaps },
): SigningJudgement {
  if (amount > caps.transactionMax) return refuse('AMOUNT_OVER_CAP');
  return { ok: true, transaction, spending: { asset, amount, hourMax: caps.hourMax } };
}

const refuse = (why: SigningRefusal): SigningJudgement => ({ ok: false, why });
