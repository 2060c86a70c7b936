import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ChainUnreadable } from '../../../src/domain/onchain/chain-nodes.ts';
import { isAnySignerAccountUnsure } from '../../../src/db/onchain/signer-account-store.ts';
import { PLACE } from '../../support/onchain/signer-harness.ts';
import { AnswerLost, loseAnswers } from '../../support/lossy-database.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';
import { result } from '../../support/onchain/lying-node.ts';
import { deployUsdc, mintUsdc } from '../../support/onchain/usdc.ts';

let chain: ReaderHarness;

beforeAll(async () => {
  chain = await createReaderHarness();
});
afterEach(() => {
  chain.pair.repent();
  chain.alarms.length = 0;
  chain.verdicts.clear();
});
afterAll(() => chain.close());

/** How deposits to an address stand, in short. */
const stand = async (address: string) =>
  (await chain.deposits(address)).map(({ status, appliedTo, amount }) =>
    [status, appliedTo, amount.toString()].filter((part) => part !== null).join(' '),
  );

const historyOf = async (address: string) => {
  const [row] = await chain.rows<{ moves: string[] }>(
    `SELECT array_agg(h.status ORDER BY h.version) AS moves FROM deposit_history h
     JOIN deposits d ON d.id = h.deposit_id WHERE d.to_address = $1`,
    [address],
  );
  return row?.moves;
};

/** As superuser, with triggers off. */
async function plant(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: chain.database.url });
  await client.connect();
  try {
    await client.query(`SET session_replication_role = replica; ${sql}`);
  } finally {
    await client.end();
  }
}

/** Makes a node leave every transfer out. */
const omit = result(() => []);

describe('a deposit', () => {
  it('is SEEN with its block, CREDITED three blocks under the newest one, and FINAL six', async () => {
    const address = await chain.addStanding();
    await chain.poll();
    await chain.send(address, 5_000_000n);
    await chain.mineAndPoll(1);
    expect(await stand(address)).toEqual(['SEEN 5000000']);
    await chain.mineAndPoll(2);
    expect(await stand(address)).toEqual(['SEEN 5000000']);
    await chain.mineAndPoll(1);
    expect(await stand(address)).toEqual(['CREDITED BALANCE 5000000']);
    await chain.mineAndPoll(3);
    expect(await stand(address)).toEqual(['FINAL BALANCE 5000000']);
    expect(await historyOf(address)).toEqual(['SEEN', 'CREDITED', 'FINAL']);
    const events = await chain.rows<{ type: string; version: number }>(
      `SELECT e.type, e.resource_version AS version FROM events e JOIN deposits d
         ON d.id = e.resource_id WHERE d.to_address = $1 ORDER BY e.resource_version`,
      [address],
    );
    expect(events).toEqual([
      { type: 'deposit.seen', version: 1 },
      { type: 'deposit.credited', version: 2 },
      { type: 'deposit.final', version: 3 },
    ]);
  });

  it('is held for the payment that waits for it, whose workflow is woken', async () => {
    const { address } = await chain.addPayment(7_000_000n);
    chain.woken.length = 0;
    await chain.send(address, 7_000_000n);
    await chain.mineAndPollTwice(4);
    expect(await stand(address)).toEqual(['CREDITED PAYMENT 7000000']);
    const [funding] = await chain.rows('SELECT status FROM payment_fundings WHERE address = $1', [
      address,
    ]);
    expect(funding).toEqual({ status: 'HELD' });
    expect(chain.woken).toHaveLength(2);
  });

  it('of nothing, of an unknown token, or of a token that only looks like ours is none', async () => {
    const address = await chain.addStanding();
    const other = await deployUsdc(chain.anvil);
    await mintUsdc(chain.anvil, other, chain.anvil.accounts[0] ?? '', 1_000_000_000n);
    await chain.send(address, 0n);
    await chain.send(address, 9_000_000n, other);
    await chain.mineAndPollTwice(8);
    expect(await stand(address)).toEqual([]);
  });

  it('to an address that is given out while the chain is looked at is seen with that poll cycle', async () => {
    const given: string[] = [];
    await chain.addStanding();
    await chain.poll();
    await chain.poll({
      nodes: {
        ...chain.pair.nodes,
        async heads() {
          const address = await chain.addStanding();
          given.push(address);
          await chain.send(address, 1_100_000n);
          await chain.anvil.mine();
          return chain.pair.nodes.heads();
        },
      },
    });
    for (const address of given) expect(await stand(address)).toEqual(['SEEN 1100000']);
    expect(given.length).toBeGreaterThan(0);
  });

  it('of the smallest unit counts, twice in one block too', async () => {
    const address = await chain.addStanding();
    const [, other = ''] = chain.anvil.accounts;
    await mintUsdc(chain.anvil, chain.usdc, other, 1n);
    await chain.send(address, 1n);
    await chain.send(address, 1n, chain.usdc, other);
    await chain.mineAndPollTwice(5);
    expect(await stand(address)).toEqual(['CREDITED BALANCE 1', 'CREDITED BALANCE 1']);
  });
});

describe('a sender', () => {
  it('on a list puts the deposit in suspense; one to be looked at waits for an operator', async () => {
    const [sender = ''] = chain.anvil.accounts;
    const [blocked, held] = [await chain.addStanding(), await chain.addStanding()];
    chain.verdicts.set(sender, 'BLOCKED');
    await chain.send(blocked, 3_000_000n);
    await chain.mineAndPollTwice(4);
    expect(await stand(blocked)).toEqual(['BLOCKED SUSPENSE 3000000']);
    chain.verdicts.set(sender, 'REVIEW');
    await chain.send(held, 4_000_000n);
    await chain.mineAndPollTwice(8);
    expect(await chain.deposits(held)).toMatchObject([{ status: 'SEEN', review: 'HELD' }]);
    chain.verdicts.clear();
    await chain.poll();
    expect(await chain.deposits(held)).toMatchObject([{ status: 'SEEN', review: 'HELD' }]);
  });
});

describe('a reorganisation', () => {
  it('takes a seen deposit away', async () => {
    const address = await chain.addStanding();
    await chain.send(address, 2_000_000n);
    await chain.mineAndPoll(1);
    await chain.reorganise(1);
    await chain.poll();
    expect(await historyOf(address)).toEqual(['SEEN', 'ORPHANED']);
  });

  it('that mines a deposit again in another block moves it: it is the same one', async () => {
    const address = await chain.addStanding();
    const hash = await chain.send(address, 2_500_000n);
    const raw = await chain.anvil.rpc<string>('eth_getRawTransactionByHash', hash);
    await chain.mineAndPollTwice(4);
    await chain.anvil.rpc('anvil_rollback', 4);
    await chain.anvil.mine(2);
    await chain.anvil.rpc('eth_sendRawTransaction', raw);
    await chain.anvil.mine(4);
    await chain.poll();
    expect(await historyOf(address)).toEqual(['SEEN', 'CREDITED', 'ORPHANED', 'SEEN', 'CREDITED']);
    await chain.mineAndPollTwice(4);
    expect(await stand(address)).toEqual(['FINAL BALANCE 2500000']);
  });

  it('after the payment was sent takes what it brought from the balance, or has it owed', async () => {
    const { address, paymentId } = await chain.addPayment(6_500_000n);
    await chain.send(address, 6_500_000n);
    await chain.mineAndPollTwice(4);
    const owed = async () => (await chain.books())['receivable'] ?? 0n;
    const [before, available] = [await owed(), (await chain.books())['available'] ?? 0n];
    await plant(`INSERT INTO settlement_attempts (reference, customer_id, environment, payment_id, number,
        rail, request, phase, sent_at, deadline_at, ask_base_at, created_at, updated_at)
      SELECT 'CW' || upper(substr(id, 5)) || '01', customer_id, environment, id, 1, rail, '\\x00',
        'SENDING', created_at, created_at, created_at, created_at, created_at
      FROM payments WHERE id = '${paymentId}'`);
    await chain.reorganise(4);
    await chain.poll();
    expect(await stand(address)).toEqual(['ORPHANED 6500000']);
    const after = (await chain.books())['available'] ?? 0n;
    expect(available - after + (before - (await owed()))).toBe(6_500_000n);
    const [funding] = await chain.rows('SELECT status FROM payment_fundings WHERE address = $1', [
      address,
    ]);
    expect(funding).toEqual({ status: 'HELD' });
  });

  it('takes back what was credited, and the payment waits again', async () => {
    const { address } = await chain.addPayment(6_000_000n);
    await chain.send(address, 6_000_000n);
    await chain.mineAndPollTwice(4);
    expect(await stand(address)).toEqual(['CREDITED PAYMENT 6000000']);
    await chain.reorganise(4);
    await chain.poll();
    expect(await stand(address)).toEqual(['ORPHANED 6000000']);
    const [funding] = await chain.rows('SELECT status FROM payment_fundings WHERE address = $1', [
      address,
    ]);
    expect(funding).toEqual({ status: 'AWAITED' });
    expect(chain.alarms.map(({ kind }) => kind)).toEqual(['DEPOSIT_ORPHANED']);
  });
});

describe('two providers', () => {
  it('of which one leaves transfers out lose nothing', async () => {
    const address = await chain.addStanding();
    chain.pair.one.lieAbout('eth_getLogs', omit);
    await chain.send(address, 1_500_000n);
    await chain.mineAndPollTwice(5);
    expect(await stand(address)).toEqual(['CREDITED BALANCE 1500000']);
  });

  it('of which one has not got the receipt credit nothing', async () => {
    const address = await chain.addStanding();
    await chain.poll();
    chain.pair.other.lieAbout(
      'eth_getTransactionReceipt',
      result(() => null),
    );
    await chain.send(address, 1_600_000n);
    for (const blocks of [1, 4]) {
      await chain.anvil.mine(blocks);
      // Whatever is final by now cannot be proved either: nothing is concluded.
      await chain.poll().catch((error: unknown) => {
        expect(error).toBeInstanceOf(ChainUnreadable);
      });
    }
    expect(await stand(address)).toEqual([]);
    chain.pair.repent();
    await chain.mineAndPollTwice(3);
    expect(await stand(address)).toEqual(['FINAL BALANCE 1600000']);
  });

  it('that both leave a transfer out are found out by what is at the address', async () => {
    const address = await chain.addStanding();
    chain.pair.one.lieAbout('eth_getLogs', omit);
    chain.pair.other.lieAbout('eth_getLogs', omit);
    await chain.send(address, 1_700_000n);
    await chain.mineAndPollTwice(8);
    expect(await stand(address)).toEqual([]);
    chain.pair.repent();
    chain.clock.advance(10 * 60_000 + 1);
    await chain.poll();
    await chain.poll();
    expect(await stand(address)).toEqual(['FINAL BALANCE 1700000']);
    expect(chain.alarms).toEqual([{ kind: 'DEPOSIT_LEFT_OUT', address, asset: 'USDC' }]);
  });
});

describe('a poll cycle that ends early', () => {
  it('because the answer of a COMMIT was lost is followed by another, and nothing is twice', async () => {
    const { address } = await chain.addPayment(5_000_000n);
    await chain.send(address, 5_000_000n);
    let isBroken = 0;
    // It is seen, then credited, then final.
    for (const blocks of [1, 3, 4]) {
      await chain.anvil.mine(blocks);
      // Each commit of a poll cycle loses its answer in turn.
      for (let broken = 0; ; broken += 1) {
        let commits = 0;
        const db = loseAnswers(chain.database.db, () => commits++ === broken);
        const isWhole = await chain.poll({ db }).then(
          () => true,
          (error: unknown) => {
            if (error instanceof AnswerLost) return false;
            throw error;
          },
        );
        if (isWhole) break;
        isBroken += 1;
      }
    }
    expect(isBroken).toBeGreaterThan(10);
    expect(await historyOf(address)).toEqual(['SEEN', 'CREDITED', 'FINAL']);
    expect(await stand(address)).toEqual(['FINAL PAYMENT 5000000']);
  });

  it('may run beside another one', async () => {
    const address = await chain.addStanding();
    await chain.send(address, 8_000_000n);
    for (const blocks of [1, 3, 3]) {
      await chain.anvil.mine(blocks);
      await Promise.all([chain.poll(), chain.poll()]);
    }
    expect(await historyOf(address)).toEqual(['SEEN', 'CREDITED', 'FINAL']);
  });
});

describe('a chain that goes back behind a final block', () => {
  it('is stopped: nothing is read any more, a human is called, and signer accounts take nothing new', async () => {
    await chain.mineAndPoll(2);
    await chain.reorganise(9);
    await chain.poll();
    await chain.poll();
    expect(new Set(chain.alarms.map(({ kind }) => kind))).toEqual(new Set(['FINAL_BLOCK_GONE']));
    expect(await chain.database.db.system((tx) => isAnySignerAccountUnsure(tx, PLACE))).toBe(true);
    const address = await chain.addStanding();
    await chain.send(address, 1_000_000n);
    await chain.mineAndPollTwice(4);
    expect(await stand(address)).toEqual([]);
  });
});
