import { listUndecidedLateReturns } from '../../../../db/payments/late-return-store.ts';
import { listUnmatchedCredits } from '../../../../db/ledger/incoming-credit-store.ts';
import { listUnresolvedStatementExceptions } from '../../../../db/reconciliation/statement-exception-store.ts';
import { listStatementsToMend } from '../../../../db/reconciliation/statement-page-store.ts';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { ROWS_MAX } from '../../parts/list-page.tsx';
import { CreditsTable, ExceptionsTable, LateReturnsTable, MendTable } from './tables.tsx';

/** GET /reconciliation: what the bank's statements show and our books do not explain. */
export function registerReconciliation(app: WebApp, { db }: ConsoleDeps): void {
  app.get('/reconciliation', { config: { right: 'see' } }, async (request, reply) => {
    const found = await db.system(async (tx) => ({
      credits: await listUnmatchedCredits(tx, null, ROWS_MAX + 1),
      late: await listUndecidedLateReturns(tx, ROWS_MAX + 1),
      exceptions: await listUnresolvedStatementExceptions(tx, ROWS_MAX + 1),
      toMend: await listStatementsToMend(tx, ROWS_MAX + 1),
    }));
    return sendConsolePage(request, reply, {
      title: 'Reconciliation',
      current: '/reconciliation',
      body: (
        <>
          <PageHead
            title="Reconciliation"
            about="What the bank’s statements show and our books do not explain, of both environments."
          />
          <h2>Unmatched credits</h2>
          <CreditsTable rows={found.credits} />
          <h2>Money that came back late</h2>
          <LateReturnsTable rows={found.late} />
          <h2>Lines that no payment explains</h2>
          <ExceptionsTable rows={found.exceptions} />
          <h2>Statements that were refused or cannot be read</h2>
          <MendTable rows={found.toMend} />
        </>
      ),
    });
  });
}
