import { Type } from 'typebox';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { AllSections } from '../../parts/all-sections.tsx';
import { readSections } from '../../parts/sections.ts';
import { RECONCILIATION_SECTIONS } from './tables.tsx';

const QUERY = Type.Object({ show: Type.Optional(Type.String({ maxLength: 30 })) });

/** GET /reconciliation: what the bank's statements show and the ledger does not explain; one list with `show`. */
export function registerReconciliation(app: WebApp, { db, clock }: ConsoleDeps): void {
  const schema = { querystring: QUERY };
  app.get('/reconciliation', { config: { right: 'see' }, schema }, async (request, reply) => {
    const { show } = request.query;
    const sections = await db.system((tx) =>
      readSections(tx, RECONCILIATION_SECTIONS, show, clock.now()),
    );
    return sendConsolePage(request, reply, {
      title: 'Reconciliation',
      current: '/reconciliation',
      body: (
        <>
          <PageHead
            title="Reconciliation"
            about="What bank statements show and the ledger does not explain, in test and live."
          />
          {sections}
          <AllSections href="/reconciliation" show={show} />
        </>
      ),
    });
  });
}
