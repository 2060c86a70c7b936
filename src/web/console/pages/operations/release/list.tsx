import { Type } from 'typebox';
import {
  findRestoreMode,
  type RestoreMode,
} from '../../../../../db/operations/restore-mode-store.ts';
import { listWaitingNetworks } from '../../../../../db/operations/waiting-store.ts';
import { listReleaseStops } from '../../../../../db/operations/release-stop-store.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { ActLinks, type ActLink } from '../../../parts/act-links.tsx';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { AllSections } from '../../../parts/all-sections.tsx';
import { ROWS_MAX } from '../../../parts/list-page.tsx';
import { moment } from '../../../parts/moments.ts';
import { readSections, type Section } from '../../../parts/sections.ts';
import { WaitingSection } from '../../../parts/waiting-section.tsx';
import { environmentWords } from '../../../words/payment-fact-words.ts';
import { filterText } from '../../../../../modules/operations/acts/release-acts.ts';

const QUERY = Type.Object({ show: Type.Optional(Type.String({ maxLength: 30 })) });

/** GET /release: what stops payments from leaving, and whether restore mode is on; one list with `show`. */
export function registerRelease(app: WebApp, { db, clock }: ConsoleDeps): void {
  const schema = { querystring: QUERY };
  app.get('/release', { config: { right: 'see' }, schema }, async (request, reply) => {
    const { show } = request.query;
    const { sections, mode } = await db.system(async (tx) => ({
      sections: await readSections(tx, SECTIONS, show, clock.now()),
      mode: await findRestoreMode(tx),
    }));
    return sendConsolePage(request, reply, {
      title: 'Release',
      current: '/release',
      body: (
        <>
          <PageHead title="Release" about="Everything that stops payments from leaving.">
            <ActLinks
              operator={operatorOf(request)}
              links={[{ href: '/release/stop', text: 'Stop payments', right: 'decide-payments' }]}
            />
          </PageHead>
          {sections}
          <AllSections href="/release" show={show} />
          {show === undefined ? (
            <Card title="Restore mode" aside={mode === null ? 'Off' : 'On'}>
              <p>{modeText(mode)}</p>
              <ActLinks operator={operatorOf(request)} links={[switchOf(mode)]} />
            </Card>
          ) : null}
        </>
      ),
    });
  });
}

const STOPS: Section = {
  ...{ show: 'stops', kind: 'RELEASE_STOP' },
  read: async (tx) => {
    const rows = await listReleaseStops(tx, ROWS_MAX + 1);
    return (waiting) => (
      <WaitingSection
        {...{ title: 'Active stops', kind: 'RELEASE_STOP', waiting, rows }}
        keyOf={({ id }) => String(id)}
        hrefOf={({ id }) => `/release/${String(id)}/resume`}
        columns={[
          { title: 'Stopped', cell: filterText },
          { title: 'By', cell: ({ stoppedBy }) => stoppedBy },
          { title: 'Reason', cell: ({ reason }) => reason },
          { title: 'Since (UTC)', isMuted: true, cell: ({ stoppedAt }) => moment(stoppedAt) },
        ]}
        empty="No stop is active. Payments leave when they are due."
      />
    );
  },
};

const networksOf = (
  show: string,
  kind: 'CHAIN_STOP' | 'CHAIN_NOT_READ',
  words: { readonly title: string; readonly empty: string },
): Section => ({
  show,
  kind,
  read: async (tx, now) => {
    const rows = await listWaitingNetworks(tx, kind, now, ROWS_MAX + 1);
    return (waiting) => (
      <WaitingSection
        {...{ ...words, kind, waiting, rows }}
        keyOf={({ environment, network, block }) => `${environment} ${network} ${String(block)}`}
        columns={[
          { title: 'Network', cell: ({ network }) => network },
          { title: 'Environment', cell: ({ environment }) => environmentWords(environment) },
          { title: 'Block', isNumber: true, cell: ({ block }) => String(block) },
          { title: 'Since (UTC)', isMuted: true, cell: ({ since }) => moment(since) },
        ]}
      />
    );
  },
});

const SECTIONS: readonly Section[] = [
  STOPS,
  networksOf('stopped-networks', 'CHAIN_STOP', {
    title: 'Stopped networks',
    empty: 'No network is stopped.',
  }),
  networksOf('unread-networks', 'CHAIN_NOT_READ', {
    title: 'Networks that are not read for deposits',
    empty: 'Every network is read for deposits.',
  }),
];

const modeText = (mode: RestoreMode | null): string =>
  mode === null
    ? 'The engine sends payments without asking the bank first. Begin restore mode after the database was restored to an earlier moment.'
    : `The engine asks the bank before every first send. ${mode.begunBy} began restore mode at ${moment(mode.begunAt)} UTC. Reason: ${mode.reason}`;

const switchOf = (mode: RestoreMode | null): ActLink => ({
  href: mode === null ? '/release/restore-begin' : '/release/restore-end',
  text: mode === null ? 'Begin restore mode' : 'End restore mode',
  right: 'decide-payments',
});
