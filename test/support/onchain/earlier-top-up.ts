import { storeSigned, type NonceKey } from '../../../src/db/onchain/chain-nonce-store.ts';
import { COIN_GAS, encodeUnsigned } from '../../../src/domain/onchain/transaction.ts';
import { PLACE, type SignerHarness } from './signer-harness.ts';

/** Wei that it gives. */
export const GIVEN = 10n ** 17n;

/** A top-up as it stands. */
export interface TopUpStand {
  readonly state: string;
  readonly isInBlock: boolean;
}

/**
 * Plans gas for another hot address by the next nonce of the harness's own, which is open, as the release before did.
 * Signed, it is stored and not sent: the bytes are answered.
 */
export async function planEarlierTopUp(
  harness: SignerHarness,
  recipient: string,
  { isSigned }: { readonly isSigned: boolean },
): Promise<Uint8Array> {
  const { deps, signerAccount: address } = harness;
  const { maxFeePerGas, maxPriorityFeePerGas } = await deps.nodes.suggestFees();
  const fees = { maxFeePerGas, maxPriorityFeePerGas };
  const [{ nonce } = { nonce: 0n }] = await harness.rows<{ nonce: bigint }>(
    'SELECT next_nonce AS nonce FROM chain_signer_accounts WHERE address = $1',
    [address],
  );
  const { chainId } = deps.settings;
  const turn = { chainId, nonce, gas: COIN_GAS, ...fees };
  const unsigned = encodeUnsigned({ ...turn, to: recipient, value: GIVEN, data: new Uint8Array() });
  const key: NonceKey = { ...PLACE, address, nonce };
  await deps.db.system(async (tx) => {
    const now = deps.clock.now();
    const { environment, network } = PLACE;
    const place = { environment, network, address };
    const row = { ...place, nonce, now };
    await tx.query(
      `UPDATE chain_signer_accounts SET next_nonce = next_nonce + 1
       WHERE environment = :environment AND network = :network AND address = :address`,
      place,
    );
    await tx.query(
      `INSERT INTO chain_nonces (environment, network, address, nonce, created_at, updated_at)
       VALUES (:environment, :network, :address, :nonce, :now, :now)`,
      row,
    );
    await tx.query(
      `INSERT INTO chain_top_ups (environment, network, address, nonce, recipient, amount, planned_block, created_at,
         updated_at)
       VALUES (:environment, :network, :address, :nonce, :recipient, :amount, 999, :now, :now)`,
      { ...row, recipient, amount: GIVEN.toString() },
    );
    await tx.query(
      `INSERT INTO chain_transactions (environment, network, address, nonce, number, kind, unsigned, max_fee_per_gas,
         max_priority_fee_per_gas, gas, value, created_at)
       VALUES (:environment, :network, :address, :nonce, 0, 'TOP_UP', :unsigned, :maxFeePerGas, :maxPriorityFeePerGas,
         :gas, :amount, :now)`,
      { ...row, ...fees, unsigned: Buffer.from(unsigned), gas: COIN_GAS, amount: GIVEN.toString() },
    );
  });
  if (!isSigned) return unsigned;
  const signed = await deps.signerOf(address)!.sign(unsigned);
  const at = { now: deps.clock.now(), head: (await deps.nodes.heads()).latest.number };
  await deps.db.system((tx) =>
    storeSigned(tx, key, [{ ...signed, nonce: key.nonce, number: 0, kind: 'TOP_UP' }], at),
  );
  return signed.raw;
}

/** All of them, oldest first. */
export const topUpStands = ({ rows }: SignerHarness): Promise<TopUpStand[]> =>
  rows<TopUpStand>(
    `SELECT state, block_number IS NOT NULL AS "isInBlock" FROM chain_top_ups ORDER BY created_at, nonce`,
  );
