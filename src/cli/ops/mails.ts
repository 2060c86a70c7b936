import { listUnsentMails } from '../../db/customers/mail-store.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { table } from './table.ts';

const LISTED_MAX = 1_000;

/** `mails unsent`: those that were refused, or of no use before the relay took them. */
export const addMailCommands: AddCommands = (program, context) => {
  const mails = program.command('mails').description('emails to users and operators');
  mails
    .command('unsent')
    .description('list emails that failed or expired in the last 90 days, newest first')
    .action(() => context.run(list));
};

async function list(deps: OpsDeps): Promise<number> {
  const found = await deps.db.system((tx) => listUnsentMails(tx, LISTED_MAX + 1));
  if (found.length === 0) {
    deps.print('No email failed or expired.');
    return 0;
  }
  deps.print(
    table(
      ['mail', 'kind', 'status', 'code', 'tries', 'written', 'ended'],
      found
        .slice(0, LISTED_MAX)
        .map((mail) => [
          ...[mail.id, mail.kind, mail.status, mail.failure ?? '-', String(mail.tries)],
          ...[mail.createdAt.toISOString(), mail.endedAt.toISOString()],
        ]),
    ),
  );
  if (found.length > LISTED_MAX) deps.print('There are more.');
  return 0;
}
