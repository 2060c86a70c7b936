import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';

let chain: ReaderHarness;
let superuser: pg.Client;

beforeAll(async () => {
  chain = await createReaderHarness();
  superuser = new pg.Client({ connectionString: chain.database.url });
  await superuser.connect();
});
afterEach(async () => {
  await superuser.query('DROP TRIGGER IF EXISTS poison ON deposits');
  chain.alarms.length = 0;
  chain.clock.advance(3_600_000);
  await chain.poll();
});
afterAll(async () => {
  await superuser.end();
  await chain.close();
});

/** From now on the database refuses what is written of deposits to an address, with an SQLSTATE. */
async function refuse(address: string, when: 'INSERT' | 'UPDATE', code = '23514'): Promise<void> {
  await superuser.query(`
    CREATE OR REPLACE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'poison' USING ERRCODE = '${code}'; END $$;
    CREATE TRIGGER poison BEFORE ${when} ON deposits FOR EACH ROW
      WHEN (NEW.to_address = '${address}') EXECUTE FUNCTION poison()`);
}

const stand = async (address: string) =>
  (await chain.deposits(address)).map(({ status, amount }) => `${status} ${amount.toString()}`);

const aside = () =>
  chain.rows<{ txHash: string; ordinal: number; to: string; why: string; tries: number }>(
    `SELECT tx_hash AS "txHash", ordinal, to_address AS "to", why, tries FROM set_aside_deposits`,
  );

describe('a deposit that the database refuses', () => {
  it('is set aside, a human is told, those behind it are booked, and it is booked once it can be', async () => {
    const [poisoned, other] = [await chain.addStanding(), await chain.addStanding()];
    await refuse(poisoned, 'INSERT');
    const txHash = await chain.send(poisoned, 5_000_000n);
    await chain.anvil.mine();
    await chain.send(other, 6_000_000n);
    await chain.mineAndPollTwice(8);
    expect(await stand(other)).toEqual(['FINAL 6000000']);
    expect(await stand(poisoned)).toEqual([]);
    expect(await aside()).toMatchObject([{ txHash, ordinal: 0, to: poisoned, why: '23514' }]);
    const told = { kind: 'DEPOSIT_SET_ASIDE', txHash, ordinal: 0, why: '23514' };
    expect(chain.alarms).toContainEqual(told);

    chain.clock.advance(3_600_000);
    await chain.poll();
    expect(await stand(poisoned)).toEqual([]);
    await superuser.query('DROP TRIGGER poison ON deposits');
    chain.clock.advance(3_600_000);
    await chain.poll();
    expect(await stand(poisoned)).toEqual(['FINAL 5000000']);
    expect(await aside()).toEqual([]);
  });

  it('when it is to be credited keeps no other from being credited, and none from being final', async () => {
    const [poisoned, other] = [await chain.addStanding(), await chain.addStanding()];
    await chain.send(poisoned, 5_000_000n);
    await chain.anvil.mine();
    await chain.send(other, 6_000_000n);
    await chain.mineAndPoll(1);
    await refuse(poisoned, 'UPDATE');
    await chain.mineAndPollTwice(7);
    expect(await stand(other)).toEqual(['FINAL 6000000']);
    expect(await stand(poisoned)).toEqual(['SEEN 5000000']);
    expect(await aside()).toMatchObject([{ to: poisoned, why: '23514', tries: 1 }]);
    await superuser.query('DROP TRIGGER poison ON deposits');
    chain.clock.advance(3_600_000);
    await chain.poll();
    expect(await stand(poisoned)).toEqual(['FINAL 5000000']);
    expect(await aside()).toEqual([]);
  });

  it('is not tried again with every poll cycle, but later each time', async () => {
    const poisoned = await chain.addStanding();
    await refuse(poisoned, 'INSERT');
    await chain.send(poisoned, 5_000_000n);
    // Seen at the head, and once more when it is final.
    await chain.mineAndPollTwice(8);
    const [before] = await aside();
    for (let looks = 0; looks < 5; looks += 1) await chain.poll();
    expect(await aside()).toEqual([before]);
    chain.clock.advance(3_600_000);
    await chain.poll();
    const [after] = await aside();
    expect(after?.tries).toBe((before?.tries ?? 0) + 1);
  });
});

describe('a database that serves no query', () => {
  it.each(['53100', '40001', '57P01', '08006'])(
    'sets nothing aside, and the reader stays where it is (%s)',
    async (code) => {
      const address = await chain.addStanding();
      await refuse(address, 'INSERT', code);
      await chain.send(address, 5_000_000n);
      await chain.anvil.mine(8);
      await expect(chain.poll()).rejects.toMatchObject({ code });
      expect(await aside()).toEqual([]);
      await superuser.query('DROP TRIGGER poison ON deposits');
      await chain.poll();
      expect(await stand(address)).toEqual(['FINAL 5000000']);
    },
  );
});
