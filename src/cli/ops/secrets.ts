import { recordAudit } from '../../db/operations/audit-store.ts';
import {
  checkCurrentKey,
  countByKey,
  resealAll,
  type ColumnCounts,
  type ResealDeps,
  type Unopened,
} from '../../modules/operations/resealing/reseal.ts';
import {
  checkPeppers,
  listForeignHashes,
} from '../../modules/operations/resealing/check-addresses.ts';
import { countByPepper, raiseAllHashes } from '../../modules/operations/resealing/raise-hashes.ts';
import { summaryOf } from '../../modules/operations/acts/written-out-acts.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { operatorOption } from './option-values.ts';
import { table } from './table.ts';

/** Rows of values that cannot be opened. There may be as many as rows. */
const SHOWN_MAX = 100;

/** `secrets reseal|status` */
export const addSecretCommands: AddCommands = (program, context) => {
  const secrets = program
    .command('secrets')
    .description('move stored values to a new encryption key or pepper');

  secrets
    .command('reseal')
    .description(summaryOf('secrets reseal'))
    .addOption(operatorOption(context))
    .option('--unused-key', 'move values although no process has used the last key or pepper yet')
    .action(({ operator, unusedKey }) =>
      context.run((deps) =>
        withRight(async () => {
          const reseal = resealDeps(deps);
          await requireCurrentKey(reseal, unusedKey === true);
          await requireCurrentPepper(reseal, unusedKey === true);
          // Before anything is changed: the command may be killed.
          await deps.db.system((tx) =>
            recordAudit(tx, {
              at: deps.clock.now(),
              actor: { kind: 'OPERATOR', name: operator },
              action: 'encryption_key.reseal',
              scope: { customerId: null, environment: null },
              subject: `encryption_key/${String(deps.vault.currentKeyId)}`,
              details: { pepper: deps.vault.currentPepper },
            }),
          );
          const { count, unopened } = await resealAll(reseal);
          deps.print(`${String(count)} values are sealed anew.`);
          sayUnopened(deps, unopened);
          if (deps.vault.currentPepper > 0) await moveHashes(deps, reseal);
          return sayStatus(deps, reseal);
        }),
      ),
    );

  secrets
    .command('status')
    .description(
      'count the values of each key and pepper, and check the hashes of addresses; 0 if only the last ones are in use',
    )
    .action(() =>
      context.run((deps) =>
        withRight(async () => {
          const reseal = resealDeps(deps);
          await requireCurrentKey(reseal, true);
          return sayStatus(deps, reseal);
        }),
      ),
    );
};

const resealDeps = ({ resealing, vault, showProgress }: OpsDeps): ResealDeps => ({
  ...{ db: resealing, vault, showProgress },
});

/** Refuses a last key that is not the one that the processes have, or, unless told otherwise, that none of them has used. */
async function requireCurrentKey(deps: ResealDeps, mayBeUnused: boolean): Promise<void> {
  const check = await checkCurrentKey(deps);
  const key = String(deps.vault.currentKeyId);
  if (check.kind === 'DIFFERS') {
    throw new PlainError(
      `Key ${key} of ENCRYPTION_KEYS does not open what key ${key} has sealed in ${check.place}. ` +
        'It is not the key that the processes have: nothing was changed.',
    );
  }
  if (check.kind === 'UNUSED' && !mayBeUnused && (await isAnythingSealed(deps))) {
    throw new PlainError(
      `No process has sealed anything under key ${key}. Put it last in ENCRYPTION_KEYS of every process first. ` +
        'If every process has it and has only written nothing with it yet, add --unused-key.',
    );
  }
}

const isAnythingSealed = async (deps: ResealDeps): Promise<boolean> =>
  (await countByKey(deps)).some(({ byKey }) => byKey.size > 0);

/** The login has the role for as long as the run takes. */
async function withRight(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!isRoleRefused(error)) throw error;
    throw new PlainError(
      'The login of DATABASE_URL may not seal values anew. For the run, let the owner of the database do: ' +
        'GRANT causeway_resealer TO <login>',
    );
  }
}

/** PostgreSQL refuses the role when it takes a connection. */
const isRoleRefused = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['42501', '22023'].includes(String(error.code)) &&
  error.message.includes('causeway_resealer');

function sayUnopened(deps: OpsDeps, unopened: readonly Unopened[]): void {
  for (const { place, row, why } of unopened.slice(0, SHOWN_MAX)) {
    const reason =
      why === 'KEY_MISSING'
        ? 'ENCRYPTION_KEYS has no key that opens it'
        : 'it cannot be opened; it may have been changed';
    deps.print(`${place} of ${row} is left: ${reason}.`);
  }
  if (unopened.length > SHOWN_MAX) deps.print('There are more.');
}

/** Moves hashes to the current pepper, and names those that cannot move. */
async function moveHashes(deps: OpsDeps, reseal: ResealDeps): Promise<void> {
  const { count, taken } = await raiseAllHashes(reseal);
  deps.print(`${String(count)} hashes are moved.`);
  for (const place of taken.slice(0, SHOWN_MAX)) {
    deps.print(`${place} is left: another row has the same value under the last pepper.`);
  }
}

const FOREIGN_PEPPERS =
  'The peppers of PEPPER do not make the hash of a stored address. ' +
  'They are not those that the processes have, or accounts were changed.';

/** Refuses peppers that are not those of the processes, or, unless told otherwise, a last one that none of them has used. */
async function requireCurrentPepper(deps: ResealDeps, mayBeUnused: boolean): Promise<void> {
  const pepper = String(deps.vault.currentPepper);
  if (deps.vault.currentPepper === 0) return;
  const check = await checkPeppers(deps);
  if (check === 'DIFFERS') {
    throw new PlainError(`${FOREIGN_PEPPERS} Nothing was changed. See secrets status.`);
  }
  if (check === 'UNUSED' && !mayBeUnused && (await isAnythingSealed(deps))) {
    throw new PlainError(
      `No process has hashed an address under pepper ${pepper}. Put it last in PEPPER of every process first. ` +
        'If every process has it and has only written nothing with it yet, add --unused-key.',
    );
  }
}

/** Says what each key has sealed, and what each pepper has hashed. The exit code is 0 where it is the current ones alone. */
async function sayStatus(deps: OpsDeps, reseal: ResealDeps): Promise<number> {
  const { vault } = deps;
  const isSealed = sayCounts(deps, await countByKey(reseal), {
    ...{ head: 'key', current: vault.currentKeyId },
    none: `Nothing is sealed under another key than ${String(vault.currentKeyId)}.`,
    left: 'values are sealed under key',
  });
  if (vault.currentPepper === 0) return isSealed ? 0 : 1;
  const isHashed = sayCounts(deps, await countByPepper(reseal), {
    ...{ head: 'pepper', current: vault.currentPepper },
    none: `Nothing is hashed under another pepper than ${String(vault.currentPepper)}.`,
    left: 'values are hashed under pepper',
  });
  if ((await checkPeppers(reseal)) === 'DIFFERS') deps.print(FOREIGN_PEPPERS);
  const foreign = await listForeignHashes(reseal);
  for (const place of foreign.slice(0, SHOWN_MAX)) {
    deps.print(`${place} is not the hash of the address of that account. It was changed.`);
  }
  return isSealed && isHashed && foreign.length === 0 ? 0 : 1;
}

interface CountTexts {
  readonly head: 'key' | 'pepper';
  readonly current: number;
  readonly none: string;
  readonly left: string;
}

/** Prints counts by number; answers whether all are of the current one. */
function sayCounts(
  { print }: OpsDeps,
  counts: readonly ColumnCounts[],
  { head, current, none, left: leftText }: CountTexts,
): boolean {
  const rows = counts.flatMap(({ place, byKey }) =>
    [...byKey].map(([id, count]) => ({ place, id, count })),
  );
  const name = (id: number) => (id === current ? `${String(id)} (current)` : String(id));
  if (rows.length > 0) {
    print(
      table(
        [head, 'column', 'values'],
        rows
          .toSorted((one, other) => one.id - other.id)
          .map(({ id, place, count }) => [name(id), place, String(count)]),
      ),
    );
  }
  const left = rows.filter(({ id }) => id !== current);
  if (left.length === 0) print(none);
  // No run moves a hash back. A key has no order: a run moves what each of them has sealed.
  const isLater = ({ id }: { readonly id: number }) => head === 'pepper' && id > current;
  sayLeft(
    print,
    left.filter((row) => !isLater(row)),
    `${leftText} %. Run secrets reseal again.`,
  );
  sayLeft(
    print,
    left.filter(isLater),
    `${leftText} %. The last one of PEPPER here is ${String(current)}, and no run moves them back: ` +
      'use the PEPPER of the processes. If it has no such number, the rows were changed.',
  );
  return left.length === 0;
}

/** `text` has a % for the numbers. */
function sayLeft(
  print: OpsDeps['print'],
  rows: readonly { readonly id: number; readonly count: number }[],
  text: string,
): void {
  if (rows.length === 0) return;
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const ids = [...new Set(rows.map(({ id }) => String(id)))].join(', ');
  print(`${String(total)} ${text.replace('%', ids)}`);
}
