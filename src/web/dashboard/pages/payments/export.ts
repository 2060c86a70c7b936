import { Readable } from 'node:stream';
import { recordAudit } from '../../../../db/operations/audit-store.ts';
import { writePaymentsCsv } from '../../../../modules/payments/payments-csv.ts';
import { readQuery } from '../../../kit/forms/read-query.ts';
import { loggedOut, PageRefusal } from '../../../kit/page-refusal.ts';
import { timeText } from '../../../kit/time-text.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { requirePlace } from '../../environment.tsx';
import { everyPayment } from './find-payments.ts';
import { PAYMENT_FILTERS } from './payment-filters.ts';

/**
 * GET /{env}/payments.csv: all that the list's filters leave, as it is read. Where the session ends, or a page
 * cannot be read, the transfer is broken off: its last chunk never comes, so no client takes it for the whole.
 */
export function registerPaymentExport(app: WebApp, { db, clock }: DashboardDeps): void {
  app.get('/:env/payments.csv', { config: { right: 'export-csv' } }, async (request, reply) => {
    const { user, scope, environment } = requirePlace(request);
    const { values, problems } = readQuery(PAYMENT_FILTERS, request.query);
    const [problem] = problems;
    if (problem !== undefined) throw new PageRefusal(422, 'No such filter', problem.message);
    const filters = { values, zone: timeText(user.timeZone).zone };
    const payments = everyPayment(db, scope, filters, async () => {
      if (!(await request.stillAdmitted())) throw loggedOut();
    });
    // What cannot be read is refused with a page, before the file begins.
    const first = await payments.next();
    await db.write(scope, (tx) =>
      recordAudit(tx, {
        ...{ at: clock.now(), actor: { kind: 'USER', id: user.id }, scope },
        ...{ action: 'payments.export', subject: scope.customerId },
        // Their names: what was searched for may be personal.
        details: { filters: namesGiven(values) },
      }),
    );
    const file = writePaymentsCsv(continued(first, payments));
    const name = `payments-${environment}-${clock.now().toISOString().slice(0, 10)}.csv`;
    return reply
      .header('content-disposition', `attachment; filename="${name}"`)
      .type('text/csv; charset=utf-8; header=present')
      .send(Readable.from(file));
  });
}

const namesGiven = (values: Readonly<Record<string, string | readonly string[]>>): string[] =>
  Object.keys(values).filter((name) => (values[name] ?? '').length > 0);

/** A generator of which one item was taken. */
async function* continued<Item>(
  first: IteratorResult<Item, void>,
  rest: AsyncGenerator<Item, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  try {
    if (first.done !== true) yield first.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}
