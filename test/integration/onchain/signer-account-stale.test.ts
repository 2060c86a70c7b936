import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adoptSignerAccount } from '../../../src/modules/onchain/adopt-signer-account.ts';
import type { PollCycle } from '../../../src/modules/onchain/chain-deps.ts';
import { createUnread } from '../../../src/modules/onchain/unread.ts';
import {
  findSignerAccount,
  type SignerAccountRow,
} from '../../../src/db/onchain/signer-account-store.ts';
import {
  createSignerHarness,
  NOT_FINAL_MAX,
  PLACE,
  type SignerHarness,
} from '../../support/onchain/signer-harness.ts';

const LIVE = { ...PLACE, environment: 'live' } as const;

/** So many nonces beyond what is final may have been signed for. */
const FENCE = BigInt(NOT_FINAL_MAX);

const MINUTE_MS = 60_000;

let harness: SignerHarness;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  startOver = await harness.keepStart();
});
beforeEach(() => startOver());
afterAll(() => harness.close());

/** A signer account of live whose address has used no nonce, put there by hand: no approval is asked for. */
async function plant(status: 'ADOPTING' | 'RETIRING', fence: bigint | null): Promise<void> {
  const client = new pg.Client({ connectionString: harness.database.url });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await client.query(
      `INSERT INTO chain_signer_accounts (environment, network, address, first_nonce, next_nonce, status, fence,
         thawed_at, retired_by, created_at, updated_at)
       VALUES ($1, $2, $3, 0, 0, $4::text, $5, now(), CASE WHEN $4::text = 'RETIRING' THEN 'apr_sample' END, now(), now())`,
      [LIVE.environment, LIVE.network, harness.signerAccount, status, fence],
    );
  } finally {
    await client.end();
  }
}

async function signerAccount(): Promise<SignerAccountRow> {
  const { db } = harness.deps;
  const found = await db.system((tx) =>
    findSignerAccount(tx, { ...LIVE, address: harness.signerAccount }),
  );
  if (found === null) throw new Error('the signer account is gone');
  return found;
}

/** One poll cycle of the signer account, its newest block so old, in ms. */
async function adopt(ageMs: number): Promise<SignerAccountRow> {
  const { deps } = harness;
  const heads = await deps.nodes.heads();
  const cycle: PollCycle = { heads, now: new Date(heads.latest.at.getTime() + ageMs) };
  return adoptSignerAccount({ ...deps, place: LIVE }, cycle, createUnread(deps), {
    signerAccount: await signerAccount(),
    nextOnChain: 0n,
  });
}

describe('a signer account of live, while the newest block is more than five minutes old', () => {
  it('that adopts concludes nothing of what the nodes have not got, and signs nothing', async () => {
    await plant('ADOPTING', null);
    expect(await adopt(6 * MINUTE_MS)).toMatchObject({ fence: null, nextNonce: 0n });
    expect(await adopt(4 * MINUTE_MS)).toMatchObject({ fence: FENCE, nextNonce: 0n });
    expect(await adopt(6 * MINUTE_MS)).toMatchObject({ fence: FENCE, nextNonce: 0n });
    expect(await harness.rows('SELECT FROM chain_nonces')).toEqual([]);
    expect(await adopt(4 * MINUTE_MS)).toMatchObject({ status: 'ADOPTING', nextNonce: 16n });
    expect(await harness.rows('SELECT FROM chain_nonces')).toHaveLength(16);
  });

  it('that has used its nonces up is not opened', async () => {
    await plant('ADOPTING', 0n);
    expect(await adopt(6 * MINUTE_MS)).toMatchObject({ status: 'ADOPTING' });
    expect(await adopt(4 * MINUTE_MS)).toMatchObject({ status: 'OPEN', fence: null });
  });

  it('that is given up is not taken for learnt', async () => {
    await plant('RETIRING', null);
    expect(await adopt(6 * MINUTE_MS)).toMatchObject({ status: 'RETIRING' });
    expect(await adopt(4 * MINUTE_MS)).toMatchObject({ status: 'RETIRED' });
  });
});
