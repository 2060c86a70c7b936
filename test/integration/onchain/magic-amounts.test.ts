import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NOT_FINAL_MAX } from '../../../src/domain/onchain/nonce-slots.ts';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { createChainMemory } from '../../../src/modules/onchain/chain-memory.ts';
import { pollChain } from '../../../src/modules/onchain/poll-chain.ts';
import { createChainNodes } from '../../../src/adapters/evm/chain-nodes.ts';
import { ChainUnreadable } from '../../../src/domain/onchain/chain-nodes.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { withLockedPayment } from '../../../src/modules/payments/lock-payment.ts';
import type { SandboxChain } from '../../../src/sandbox/chain/sandbox-chain.ts';
import { createChainPayer, PLACE } from '../../support/onchain/chain-payer.ts';
import { createFastClock } from '../../support/onchain/fast-clock.ts';
import { createTestSigner, DEPTHS, openAsChain } from '../../support/onchain/signer-harness.ts';
import { HOT, HOT_KEY, openSandboxChain } from '../../support/onchain/open-sandbox-chain.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { sandboxRows, textOf, wordsOf } from '../../support/sandbox-page.ts';
import { until } from '../../support/until.ts';
import { UNTROUBLED } from '../../support/onchain/untroubled.ts';

const CENTS = sandboxRows('Amounts of payments to wallets / cents');
const WALLETS = sandboxRows('Amounts of payments to wallets / wallet');
/** The words of the last cell that stand in backticks, in their order. */
const promises = [...CENTS, ...WALLETS].map((row) => ({
  key: textOf(row[0] ?? ''),
  words: wordsOf(row.at(-1) ?? ''),
}));
const promised = (key: string): string[] => promises.find((one) => one.key === key)?.words ?? [];

const GWEI = 1_000_000_000n;
/** Half a minute, after which fees may be raised, is as long as five blocks. */
const RATE = 150;

let database: TestDatabase;
let sandbox: SandboxChain;
let deps: ChainDeps;
let close: () => Promise<void>;
const alarms = new Set<string>();

/** A network of the sandbox, and the process that pays on it. */
async function open(): Promise<void> {
  [database, sandbox] = await Promise.all([createTestDatabase(), openSandboxChain()]);
  const { chainId, contracts } = sandbox.networks[0]!;
  const db = openAsChain(database.url);
  const rpcUrls = ['a', 'b'].map((provider) => `${sandbox.url}/rpc/base/${provider}`);
  const nodes = createChainNodes({ rpcUrls, depths: DEPTHS });
  const startMs = Date.parse('2026-09-29T12:00:00Z');
  const signer = createTestSigner(HOT_KEY);
  const gasCap = 1_000n * GWEI;
  deps = {
    ...{ db, nodes, place: PLACE, corridors: createCorridorTable(), memory: createChainMemory() },
    clock: createFastClock({ realStartMs: Date.now(), startMs, rate: RATE }),
    settings: {
      ...{ chainId: BigInt(chainId), hotAddresses: [HOT.address], pollEveryMs: 1_000 },
      notFinalMax: NOT_FINAL_MAX,
      gasCaps: { maxFeePerGas: gasCap, maxPriorityFeePerGas: gasCap },
      ...{
        factory: contracts.factory,
        treasury: contracts.treasury,
        sweeps: null,
        hot: [],
      },
    },
    signerOf: () => signer,
    workflows: { wakePayment: async () => undefined },
    alarm: ({ kind }) => void alarms.add(kind),
    ...UNTROUBLED,
  };
  close = async () => {
    await Promise.all([nodes.close(), db.close(), sandbox.close()]);
    await database.close();
  };
}
beforeEach(() => alarms.clear());

/** Pays, and looks at the chain until the words have been seen in that order, or `isOver` says so. */
async function play(
  amount: bigint,
  words: readonly string[],
  { to, act = async () => undefined }: { to?: string; act?: (word: string) => Promise<void> } = {},
): Promise<string[]> {
  const contract = sandbox.networks[0]!.contracts.tokens.USDC;
  const payer = await createChainPayer(database, deps.clock, { asset: 'USDC', contract });
  const { scope } = payer.customer;
  const { id } = await payer.send(amount, to);
  const left = [...words];
  const seen: string[] = [];
  await until(
    () => `${words.join(', ')}; seen: ${seen.join(', ')}`,
    async () => {
      await pollChain(deps).catch((error: unknown) => {
        if (!(error instanceof ChainUnreadable)) throw error;
      });
      await withLockedPayment({ ...deps, db: database.db }, scope, id, async () => undefined);
      const [row] = await database.db.system((tx) =>
        tx.query<Record<'status' | 'detail' | 'reconciliation', string>>(
          `SELECT status, status_detail AS detail, reconciliation_status AS reconciliation
           FROM payments WHERE id = $1`,
          [id],
        ),
      );
      const shown = [...Object.values(row!), ...alarms];
      for (const word of shown) if (!seen.includes(word)) seen.push(word);
      while (left[0] !== undefined && shown.includes(left[0])) await act(left.shift()!);
      return left.length === 0 ? true : null;
    },
  );
  return seen;
}

describe('docs/reference/sandbox.md on amounts of payments to wallets', () => {
  beforeAll(open);
  afterAll(() => close());

  it('has a row for each amount that goes wrong, and for each wallet', () => {
    expect(promises.map(({ key }) => key)).toEqual([
      ...['.01', '.02', '.03', '.04', '.05', '.06', '.07'],
      ...['bad1', 'bad2', 'bad3'],
    ]);
  });

  it.each([
    ['.01', 10_010_000n],
    ['.02', 10_020_000n],
    ['.03', 10_030_000n],
    ['.04', 10_040_000n],
    ['.07', 10_070_000n],
  ])('tells what %s does', async (key, amount) => {
    await play(amount, promised(key));
  });

  it('tells that .06 waits until the hot address is filled up', async () => {
    await play(10_060_000n, promised('.06'), {
      async act(word) {
        if (word === 'AWAITING_LIQUIDITY') sandbox.networks[0]!.refill();
      },
    });
  });

  it('tells that a wallet that ends with bad3 is refused, and no nonce is used', async () => {
    const nonce = async () => deps.nodes.nonceAt(HOT.address, (await deps.nodes.heads()).latest);
    const before = await nonce();
    await play(10_000_000n, promised('bad3'), {
      to: '0x111111111111111111111111111111111111BAd3',
    });
    expect(await nonce()).toBe(before);
  });
});

describe('docs/reference/sandbox.md on an amount that is never mined', () => {
  beforeAll(open);
  afterAll(() => close());

  it('tells what .05 does', async () => {
    await play(10_050_000n, promised('.05'));
  });
});
