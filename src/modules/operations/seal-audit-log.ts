import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, SystemTransaction } from '../../db/client/database.ts';
import {
  findNewestSeal,
  findUnsealedEnd,
  insertSeal,
  readAuditRecords,
  readAuditWriters,
} from '../../db/operations/audit-seal-store.ts';
import { auditLine, NO_SEAL_BEFORE, sealedText } from '../../domain/audit-seal.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Vault } from '../../vault/vault.ts';

interface SealingDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  /** How long transactions that write to the audit log are waited for. After that the next run seals. */
  readonly writersWaitMs: number;
  /** Is told of each new seal, so that its hash is kept outside the database. */
  readonly onSealed: (seal: NewSeal) => void;
  /** Is told that those transactions did not end in time, so that nothing was sealed. */
  readonly onHeldUp: (writers: number) => void;
}

interface NewSeal {
  /** Its number. */
  readonly seal: string;
  readonly rows: number;
  readonly hash: string;
}

/** Rows that one seal has at the most. */
const ROWS_MAX = 5_000;
/** Seals that one run makes at the most. The next run makes more. */
const SEALS_MAX = 20;
const LOOK_EVERY_MS = 50;

/**
 * Seals the rows of the audit log that are not sealed yet. A transaction may commit a row after another one with a higher
 * id is there: so first it takes the newest row, then waits for those who write at that moment, and then seals up to that
 * row. Two runs at once are no harm: the number of a seal is unique.
 */
export async function sealAuditLog(deps: SealingDeps): Promise<void> {
  const { db } = deps;
  const end = await db.system(findUnsealedEnd);
  if (end === null) return;
  const writers = await waitForWriters(deps);
  if (writers > 0) {
    deps.onHeldUp(writers);
    return;
  }
  for (let made = 0; made < SEALS_MAX; made += 1) {
    const sealed = await db.system((tx) => sealNext(deps, tx, end));
    if (sealed === null) return;
    deps.onSealed(sealed);
  }
}

/** How many of those who write now still do when the wait is over. */
async function waitForWriters({ db, writersWaitMs }: SealingDeps): Promise<number> {
  let writers = await db.system(readAuditWriters);
  for (let waited = 0; writers.length > 0 && waited < writersWaitMs; waited += LOOK_EVERY_MS) {
    await pause(LOOK_EVERY_MS);
    const running = await db.system(readAuditWriters);
    writers = writers.filter((id) => running.includes(id));
  }
  return writers.length;
}

async function sealNext(
  { vault, clock }: SealingDeps,
  tx: SystemTransaction,
  end: bigint,
): Promise<NewSeal | null> {
  const newest = await findNewestSeal(tx);
  const rows = await readAuditRecords(tx, newest?.lastId ?? 0n, end, ROWS_MAX);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return null;
  const at = clock.now();
  const seal = {
    number: (newest?.number ?? 0n) + 1n,
    ...{ firstId: first.id, lastId: last.id, rows: rows.length },
    previousHash: newest?.hash ?? NO_SEAL_BEFORE,
    sealedAt: at.toISOString().replace('Z', '000Z'),
  };
  const hash = createHash('sha256')
    .update(sealedText(seal, rows.map(auditLine)))
    .digest('hex');
  // Never under an earlier pepper than the seal before: who has an earlier one could make seals that look old.
  const before = Buffer.from(newest?.mac ?? '', 'hex');
  const mac = vault.keyedHashAfter(before, 'audit-seal', hash).toString('hex');
  await insertSeal(tx, { ...seal, hash, mac }, at);
  return { seal: String(seal.number), rows: seal.rows, hash };
}
