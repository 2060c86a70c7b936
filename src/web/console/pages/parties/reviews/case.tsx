import { Type } from 'typebox';
import {
  findScreeningCase,
  type ScreeningCaseRow,
} from '../../../../../db/parties/screening-case-store.ts';
import { partyOf } from '../../../../../modules/parties/screening/case-party.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { ActLinks } from '../../../parts/act-links.tsx';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { moment, momentOrDash } from '../../../parts/moments.ts';

export async function loadCase({ db }: ConsoleDeps, id: string): Promise<ScreeningCaseRow> {
  const row = await db.system((tx) => findScreeningCase(tx, id));
  if (row === null) throw noSuchPage();
  return row;
}

/** What is known of a case without a name. */
export const CaseFacts = ({ row }: { readonly row: ScreeningCaseRow }) => (
  <Facts
    facts={[
      ['Customer', <a href={`/customers/${row.customerId}`}>{row.customerId}</a>],
      ['Environment', row.environment],
      ['Party', <code>{partyOf(row).id}</code>],
      ['Entries of the list', String(row.entryHashes.length)],
      ['List', row.listVersion],
      ['Since (UTC)', moment(row.openedAt)],
      ['Decided (UTC)', momentOrDash(row.decidedAt)],
      ['Decided by', row.decidedBy ?? '–'],
      ['Reason', row.reason ?? '–'],
    ]}
  />
);

/** GET /reviews/{id}: one screening case, its names masked. */
export function registerCase(app: WebApp, deps: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String() }) };
  app.get('/reviews/:id', { config: { right: 'see' }, schema }, async (request, reply) => {
    const row = await loadCase(deps, request.params.id);
    const base = `/reviews/${row.id}`;
    const decide = 'decide-reviews' as const;
    return sendConsolePage(request, reply, {
      title: 'Screening case',
      current: '/reviews',
      body: (
        <>
          <PageHead
            title="Screening case"
            trail={{ href: '/reviews', text: 'Reviews', here: row.id }}
          >
            <Chip tone={row.outcome === null ? 'wait' : 'none'} text={row.outcome ?? 'OPEN'} />
          </PageHead>
          <Card title="Facts">
            <CaseFacts row={row} />
          </Card>
          <ActLinks
            operator={operatorOf(request)}
            links={[
              { href: `${base}/names`, text: 'Show the names', right: 'unmask-personal-data' },
              ...(row.outcome === null
                ? [
                    { href: `${base}/release`, text: 'Propose a release', right: decide },
                    { href: `${base}/refuse`, text: 'Refuse', right: decide },
                  ]
                : []),
            ]}
          />
        </>
      ),
    });
  });
}
