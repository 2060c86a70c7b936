import { Type } from 'typebox';
import {
  findIncomingCredit,
  type IncomingCreditRow,
} from '../../../../db/ledger/incoming-credit-store.ts';
import { creditFacts } from '../../../../modules/ledger/funding/assign-credit.ts';
import { noSuchPage } from '../../../kit/page-refusal.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Chip } from '../../../kit/parts/chip.tsx';
import { Facts } from '../../../kit/parts/facts.tsx';
import { Money } from '../../../kit/parts/money.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../kit/person.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { ActLinks } from '../../parts/act-links.tsx';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { momentOrDash } from '../../parts/moments.ts';

export type ShownCredit = IncomingCreditRow & { readonly bankStatementId: string };

export async function loadCredit({ db }: ConsoleDeps, id: string): Promise<ShownCredit> {
  const credit = await db.system((tx) => findIncomingCredit(tx, id));
  if (credit === null) throw noSuchPage();
  return credit;
}

/** What is known of a credit: nothing of who paid. */
export const CreditFacts = ({ credit }: { readonly credit: ShownCredit }) => (
  <Facts
    facts={[
      ['Amount', <Money {...creditFacts(credit)} />],
      ['Environment', credit.environment],
      ['Why no customer was credited', credit.unmatchedReason ?? '–'],
      ['Reference', credit.reference ?? '–'],
      ['Bank’s reference', credit.bankReference ?? '–'],
      ['Booked (UTC)', momentOrDash(credit.bookedAt)],
      ['Customer', credit.customerId ?? '–'],
      [
        'Statement',
        <a href={`/statements/${String(credit.statementId)}`}>
          {`${credit.bankStatementId}, line ${String(credit.line)}`}
        </a>,
      ],
    ]}
  />
);

/** GET /reconciliation/credits/{id}: one credit of a statement, and what became of it. */
export function registerCredit(app: WebApp, deps: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String() }) };
  app.get(
    '/reconciliation/credits/:id',
    { config: { right: 'see' }, schema },
    async (request, reply) => {
      const credit = await loadCredit(deps, request.params.id);
      const base = `/reconciliation/credits/${credit.id}`;
      const right = 'decide-reconciliation' as const;
      const isOpen = credit.outcome === null && credit.minor !== null;
      return sendConsolePage(request, reply, {
        title: 'Credit',
        current: '/reconciliation',
        body: (
          <>
            <PageHead
              title="Credit"
              trail={{ href: '/reconciliation', text: 'Reconciliation', here: credit.id }}
            >
              <Chip
                tone={credit.outcome === null ? 'wait' : 'ok'}
                text={credit.outcome ?? 'UNMATCHED'}
              />
            </PageHead>
            <Card title="Facts">
              <CreditFacts credit={credit} />
            </Card>
            {isOpen ? (
              <ActLinks
                operator={operatorOf(request)}
                links={[
                  { href: `${base}/assign`, text: 'Propose a customer', right },
                  { href: `${base}/close`, text: 'Propose to close it', right },
                ]}
              />
            ) : null}
          </>
        ),
      });
    },
  );
}
