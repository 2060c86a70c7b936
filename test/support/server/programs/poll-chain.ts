import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChainDeps } from '../../../../src/modules/onchain/chain-deps.ts';
import { createGuardedSigner } from '../../../../src/modules/onchain/signers/guarded-signer.ts';
import {
  addressOfKey,
  createLocalKeyStore,
} from '../../../../src/modules/onchain/signers/local-key-store.ts';
import { createSigningHour } from '../../../../src/modules/onchain/signers/signing-hour.ts';
import { createChainMemory } from '../../../../src/modules/onchain/chain-memory.ts';
import { pollChain } from '../../../../src/modules/onchain/poll-chain.ts';
import { createChainNodes } from '../../../../src/adapters/evm/chain-nodes.ts';
import { sumSignedSince } from '../../../../src/db/onchain/chain-nonce-store.ts';
import type { SystemTransaction } from '../../../../src/db/client/database.ts';
import { ChainUnreadable } from '../../../../src/domain/onchain/chain-nodes.ts';
import type { Signer } from '../../../../src/domain/onchain/signer.ts';
import { createCorridorTable } from '../../../../src/domain/payments/corridors/corridor-table.ts';
import { exitWithParent } from '../../../../src/server/runtime/exit-with-parent.ts';
import type {
  ChainProcessSetup,
  ChainProcessWord,
  KillOrder,
  KillPoint,
} from '../../onchain/chain-process.ts';
import { createFastClock } from '../../onchain/fast-clock.ts';
import { PLACE } from '../../onchain/chain-payer.ts';
import { DEPTHS, NOT_FINAL_MAX, openAsChain } from '../../onchain/signer-harness.ts';
import { UNTROUBLED } from '../../onchain/untroubled.ts';

// Does what the process of chains does for one of them, until it is killed where it was told to be.

const HOUR_MS = 3_600_000;
const GWEI = 1_000_000_000n;
const BETWEEN_POLLS_MS = 50;

const setup = JSON.parse(process.env['CHAIN_PROCESS'] ?? '') as ChainProcessSetup;
const [{ kill: order }] = (await once(process, 'message')) as [{ kill: KillOrder | null }];
// The channel kept it alive until then.
exitWithParent();

const say = (word: ChainProcessWord): Promise<void> =>
  new Promise((resolve) => process.send?.(word, undefined, undefined, () => resolve()));

let turns = 0;
async function reach(point: KillPoint): Promise<void> {
  if (order?.point !== point) return;
  turns += 1;
  if (turns !== order.turn) return;
  await say({ kind: 'KILLED', point });
  process.kill(process.pid, 'SIGKILL');
  // The signal is under way; nothing more is done.
  await new Promise(() => undefined);
}

const db = openAsChain(setup.databaseUrl);
const clock = createFastClock(setup.time);
const chainId = BigInt(setup.chainId);
const gasCaps = { maxFeePerGas: 1_000n * GWEI, maxPriorityFeePerGas: 1_000n * GWEI };
const hotAddresses = setup.keys.map((key) => addressOfKey(Buffer.from(key, 'hex')));
const hour = createSigningHour();
let isSigned = false;

function openSigner(key: Buffer): Signer {
  const address = addressOfKey(key);
  const limits = { asset: 'USDC', transactionMax: 10n ** 12n, hourMax: 10n ** 15n };
  const signer = createGuardedSigner({
    rules: {
      ...{ chainId, address, factory: setup.factory, gasCaps },
      tokens: [{ ...limits, contract: setup.contract }],
    },
    keyStore: createLocalKeyStore(key),
    ...{ hour, clock },
    spentWithinHour(asset, now, except) {
      const since = new Date(now.getTime() - HOUR_MS);
      return db.system((tx) => sumSignedSince(tx, PLACE, { asset, since, except }));
    },
  });
  return {
    address,
    async sign(unsigned) {
      await reach('A');
      const signed = await signer.sign(unsigned);
      await reach('SIGN');
      isSigned = true;
      return signed;
    },
  };
}
const signers = new Map(
  setup.keys.map((key) => openSigner(Buffer.from(key, 'hex'))).map((one) => [one.address, one]),
);

const nodes = createChainNodes({ rpcUrls: setup.rpcUrls, depths: DEPTHS });
const deps: ChainDeps = {
  ...{ clock, place: PLACE, corridors: createCorridorTable(), memory: createChainMemory() },
  settings: {
    ...{ chainId, hotAddresses, gasCaps, pollEveryMs: BETWEEN_POLLS_MS },
    notFinalMax: NOT_FINAL_MAX,
    // Nothing is swept.
    ...{ factory: setup.factory, treasury: setup.factory, sweeps: null, hot: [] },
  },
  db: {
    ...db,
    async system(work) {
      const wasSigned = isSigned;
      let concludes = false;
      const result = await db.system((tx) => {
        const seen: SystemTransaction = {
          ...tx,
          query(text, values) {
            if (text.includes('UPDATE chain_nonces n SET state')) concludes = true;
            return tx.query(text, values);
          },
        };
        return work(seen);
      });
      if (wasSigned) {
        isSigned = false;
        await reach('B');
      }
      if (concludes) await reach('C');
      return result;
    },
    async write(scope, work, options) {
      const result = await db.write(scope, work, options);
      await reach('TELL');
      return result;
    },
  },
  nodes: {
    ...nodes,
    async broadcast(raws) {
      await nodes.broadcast(raws);
      await reach('BROADCAST');
    },
  },
  signerOf: (address) => signers.get(address) ?? null,
  workflows: {
    wakePayment: (_workflowId, { paymentId }) => say({ kind: 'WOKEN', paymentId }),
  },
  alarm: (alarm) => void say({ kind: 'ALARM', alarm }),
  ...UNTROUBLED,
};

for (;;) {
  try {
    await pollChain(deps);
  } catch (error) {
    if (!(error instanceof ChainUnreadable)) throw error;
    await say({ kind: 'UNREADABLE', why: error.why });
  }
  await pause(BETWEEN_POLLS_MS);
}
