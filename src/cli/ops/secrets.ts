import { recordAudit } from '../../db/operations/audit-store.ts';
import {
  checkCurrentKey,
  countByKey,
  resealAll,
  type ColumnCounts,
  type ResealDeps,
  type Unopened,
} from '../../modules/operations/resealing/reseal.ts';
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
    .description('move stored values to a new encryption key');

  secrets
    .command('reseal')
    .description(summaryOf('secrets reseal'))
    .addOption(operatorOption(context))
    .option('--unused-key', 'seal under the last key although no process has used it yet')
    .action(({ operator, unusedKey }) =>
      context.run((deps) =>
        withRight(async () => {
          const reseal = resealDeps(deps);
          await requireCurrentKey(reseal, unusedKey === true);
          // Before anything is changed: the command may be killed.
          await deps.db.system((tx) =>
            recordAudit(tx, {
              at: deps.clock.now(),
              actor: { kind: 'OPERATOR', name: operator },
              action: 'encryption_key.reseal',
              scope: { customerId: null, environment: null },
              subject: `encryption_key/${String(deps.vault.currentKeyId)}`,
              details: {},
            }),
          );
          const { count, unopened } = await resealAll(reseal);
          deps.print(`${String(count)} values are sealed anew.`);
          sayUnopened(deps, unopened);
          return sayStatus(deps, await countByKey(reseal));
        }),
      ),
    );

  secrets
    .command('status')
    .description('count the values that each encryption key has sealed; 0 if only the last one has')
    .action(() =>
      context.run((deps) =>
        withRight(async () => {
          const reseal = resealDeps(deps);
          await requireCurrentKey(reseal, true);
          return sayStatus(deps, await countByKey(reseal));
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

/** Says what each key has sealed. The exit code is 0 where it is the current key alone. */
function sayStatus({ print, vault }: OpsDeps, counts: readonly ColumnCounts[]): number {
  const rows = counts.flatMap(({ place, byKey }) =>
    [...byKey].map(([keyId, count]) => ({ place, keyId, count })),
  );
  const { currentKeyId } = vault;
  const name = (keyId: number) =>
    keyId === currentKeyId ? `${String(keyId)} (current)` : String(keyId);
  if (rows.length > 0) {
    print(
      table(
        ['key', 'column', 'values'],
        rows
          .toSorted((one, other) => one.keyId - other.keyId)
          .map(({ keyId, place, count }) => [name(keyId), place, String(count)]),
      ),
    );
  }
  const left = rows.filter(({ keyId }) => keyId !== currentKeyId);
  if (left.length === 0) {
    print(`Nothing is sealed under another key than ${String(currentKeyId)}.`);
    return 0;
  }
  const total = left.reduce((sum, { count }) => sum + count, 0);
  const keys = [...new Set(left.map(({ keyId }) => String(keyId)))].join(', ');
  print(`${String(total)} values are sealed under key ${keys}. Run secrets reseal again.`);
  return 1;
}
