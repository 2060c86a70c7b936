import { summaryOf } from '../../modules/operations/acts/written-out-acts.ts';
import { readFileSync } from 'node:fs';
import { listErasures, type Erasure } from '../../db/parties/erasure-store.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { operatorOption, readName, readTime } from './option-values.ts';
import { reapplyErasure, type NamedEndUser } from './reapply-erasure.ts';

const PAGE = 1_000;
const EVER = new Date(0);

/** `erasures list > FILE` before a restore, or every day; `erasures reapply FILE` after it. */
export const addErasureCommands: AddCommands = (program, context) => {
  const erasures = program
    .command('erasures')
    .description('list erased end-users and erase them again after a restore');

  erasures
    .command('list')
    .description(
      'print one line per erased end-user, oldest first; store it apart from the backups',
    )
    .option('--since <moment>', 'for example 2026-11-22 or 2026-11-22T04:00:00Z', readTime, EVER)
    .action(({ since }) =>
      context.run(async (deps) => {
        for await (const one of allSince(deps, since)) {
          const { customerId, environment, endUserId, erasedAt } = one;
          deps.print([customerId, environment, endUserId, erasedAt.toISOString()].join(' '));
        }
        return 0;
      }),
    );

  erasures
    .command('reapply')
    .description(summaryOf('erasures reapply'))
    .argument('<file>', 'output of erasures list', readName)
    .addOption(operatorOption(context))
    .action((file, { operator }) =>
      context.run(async (deps) => {
        const counts = { ERASED: 0, KNOWN: 0, MISSING: 0, REFUSED: 0 };
        for (const endUser of readList(readFileSync(file, 'utf8'))) {
          const outcome = await reapplyErasure(deps, endUser, operator);
          counts[outcome.kind] += 1;
          if (outcome.kind === 'REFUSED') {
            deps.print(`${endUser.endUserId} is not erased: ${outcome.codes.join(', ')}`);
          }
        }
        const { ERASED, KNOWN, MISSING, REFUSED } = counts;
        deps.print(
          `${String(ERASED)} erased, ${String(KNOWN)} already erased, ` +
            `${String(MISSING)} not in this database, ${String(REFUSED)} refused.`,
        );
        return REFUSED === 0 ? 0 : 1;
      }),
    );
};

async function* allSince(deps: OpsDeps, since: Date): AsyncGenerator<Erasure> {
  let after = { erasedAt: since, endUserId: '' };
  for (;;) {
    const start = after;
    const page = await deps.db.system((tx) => listErasures(tx, start, PAGE));
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last;
  }
}

const LINE = /^(cus_[0-9a-z_]+) (test|live) (eu_[0-9a-z]+)(?: \S+)?$/;

function readList(text: string): NamedEndUser[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const [, customerId, environment, endUserId] = LINE.exec(line) ?? [];
    if (customerId === undefined || endUserId === undefined) {
      throw new PlainError(`Line ${String(index + 1)} is not a line of erasures list.`);
    }
    return { customerId, environment: environment === 'live' ? 'live' : 'test', endUserId };
  });
}
