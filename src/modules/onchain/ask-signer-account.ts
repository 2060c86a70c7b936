import type { ChainTransferRow } from '../../db/onchain/chain-transfer-store.ts';
import type { GasFees } from '../../domain/onchain/chain-facts.ts';
import type { TriedCall } from '../../domain/onchain/chain-nodes.ts';
import { GAS_MAX } from '../../domain/onchain/signing-policy.ts';
import { encodeTransferCall, referenceMark } from '../../domain/onchain/transfer-call.ts';
import type { ChainDeps } from './chain-deps.ts';
import type { SignerFunds, OpenSignerAccount } from './signer-funds.ts';

/**
 * A balance that another transfer empties before ours fills it is stored anew, for 20,000 units of gas in
 * place of 2,900 (EIP-2929 and EIP-3529); a fifth more is for whatever else changes before it is mined.
 */
const STORED_ANEW_GAS = 20_000n;

/** What the transaction of a transfer is to be. */
export interface Turn {
  readonly kind: 'SEND';
  readonly data: Uint8Array;
  readonly fees: GasFees;
  readonly gas: bigint;
}

/**
 * Whether a signer account can pay a transfer. SHORT: it lacks tokens or gas. REFUSED: the token moves nothing of the
 * signer account's, not even to itself: it is paused, or its issuer has frozen the address. FAILS: the signer account
 * could pay, and the token lets nothing go there.
 */
type SignerAccountAnswer = Turn | { readonly kind: 'SHORT' | 'REFUSED' | 'FAILS' };

/**
 * Tries a transfer from a signer account as a call without effect. The text of an error tells nothing, so that a call
 * which fails is held against a transfer of the same amount from the signer account to itself, and then tried again: in
 * between the tokens may have come or gone. Throws ChainUnreadable.
 */
export async function askSignerAccount(
  { nodes }: ChainDeps,
  funds: SignerFunds,
  signerAccount: OpenSignerAccount,
  transfer: ChainTransferRow,
  fees: GasFees,
): Promise<SignerAccountAnswer> {
  const { contract, recipient, amount } = transfer;
  if ((await funds.tokens(signerAccount, contract)) < amount) return { kind: 'SHORT' };
  const { address } = signerAccount.key;
  const call = callOf(address, transfer, recipient);
  let outcome = await funds.tried(call);
  if (outcome.kind === 'FAILS') {
    const toItself = callOf(address, transfer, address);
    if ((await nodes.tryCall(toItself)).kind === 'FAILS') return { kind: 'REFUSED' };
    outcome = await nodes.tryCall(call);
    if (outcome.kind === 'FAILS') return { kind: 'FAILS' };
  }
  // A node alone cannot ask for more gas than a signer lets through.
  const wished = (outcome.gas * 6n) / 5n + STORED_ANEW_GAS;
  const gas = wished < GAS_MAX ? wished : GAS_MAX;
  const gasOfAll = signerAccount.gasOwed + gas * fees.maxFeePerGas;
  if ((await funds.coins(signerAccount)) < gasOfAll) return { kind: 'SHORT' };
  return { kind: 'SEND', data: call.data, fees, gas };
}

/** The call that pays a transfer's amount from a signer account to an address. */
export function callOf(
  from: string,
  { contract, amount, reference }: ChainTransferRow,
  to: string,
): TriedCall {
  const data = encodeTransferCall({ to, amount, mark: referenceMark(reference) });
  return { from, to: contract, data };
}
