import { beforeAll, describe, expect, it } from 'vitest';
import {
  playDeposits,
  type DepositFigures,
} from '../../support/onchain/simulation/play-deposits.ts';
import { playTransfers } from '../../support/onchain/simulation/play-transfers.ts';
import { playTurns } from '../../support/onchain/simulation/play-turns.ts';
import { seedOf, sizeOf } from '../../support/campaign.ts';

const SEED = seedOf(30);
/** Finality windows that are measured, after one that fills up what is not final. */
const WINDOWS = sizeOf(1, 3);
const PATIENCE_MS = 3_600_000;
const MINUTE_MS = 60_000;

const NETWORKS = (
  [
    { name: 'ETHEREUM', anHour: 1_000 },
    { name: 'BASE', anHour: 3_000 },
  ] as const
).slice(sizeOf(1, 0));

describe.each(NETWORKS)(
  `one signer account of a network like $name over ${String(WINDOWS)} finality windows: seed ${String(SEED)}`,
  ({ name, anHour }) => {
    it(
      `pays ${String(anHour)} transfers an hour, each once`,
      async () => {
        const figures = await playTransfers(name, SEED, { anHour, windows: WINDOWS });
        console.log(JSON.stringify({ network: name, wanted: anHour, ...figures }));
        expect(figures.paidTwice).toBe(0);
        expect(figures.anHour).toBeGreaterThanOrEqual(anHour);
      },
      PATIENCE_MS,
    );
  },
);

const MANY = sizeOf(1_200, 5_000);
const BLOCKS_LATER_MAX = 2;

describe(`one customer's ${String(MANY)} small payments`, () => {
  it(
    'delay the single ones of another by at most two blocks, also while no more of them may be not final',
    async () => {
      const figures = await playTurns(SEED, MANY);
      console.log(JSON.stringify({ many: MANY, ...figures }));
      expect(figures.paidTwice).toBe(0);
      expect(figures.behindMany.median - figures.quiet.median).toBeLessThanOrEqual(
        BLOCKS_LATER_MAX,
      );
      expect(figures.atLimit.median - figures.quiet.median).toBeLessThanOrEqual(BLOCKS_LATER_MAX);
      // More of them wait than may be not final: there was a limit to be at.
      expect(figures.notFinal).toBeLessThan(MANY);
    },
    PATIENCE_MS,
  );
});

const A_SECOND = 50;
const ITEMS_MAX = 6;

describe(`deposits on a network like BASE, ${String(A_SECOND)} a second: seed ${String(SEED)}`, () => {
  let figures: DepositFigures;
  beforeAll(async () => {
    figures = await playDeposits(SEED, {
      aSecond: A_SECOND,
      warmUpMs: sizeOf(4, 22) * MINUTE_MS,
      measuredMs: sizeOf(1, 41) * MINUTE_MS,
    });
    console.log(JSON.stringify({ wanted: A_SECOND, ...figures }));
  }, PATIENCE_MS);

  it('are credited as fast as they come', () => {
    expect(figures.aSecond).toBeGreaterThanOrEqual(A_SECOND);
  });

  it(`take ${String(ITEMS_MAX)} calls of providers each at the most`, () => {
    expect(figures.itemsEach).toBeLessThanOrEqual(ITEMS_MAX);
  });
});
