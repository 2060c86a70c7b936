import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { readWaiting } from '../../../../../db/operations/waiting-store.ts';
import { AllSections } from '../../../parts/all-sections.tsx';
import { addressesSection } from '../addresses/section.tsx';
import { liveRequestsSection } from '../live-requests/section.tsx';
import { accessRequestsSection } from './access-requests-section.tsx';
import type { RequestSection } from './section.ts';

/** What customers, and people who want to be some, ask of operators: a section a kind. */
const SECTIONS: readonly RequestSection[] = [
  accessRequestsSection,
  addressesSection,
  liveRequestsSection,
];

/** GET /requests: everything that visitors and customers ask for, each kind newest first. */
export function registerRequests(app: WebApp, deps: ConsoleDeps): void {
  app.get('/requests', { config: { right: 'see' } }, async (request, reply) => {
    const operator = operatorOf(request);
    const query = textsOf(request.query);
    const sections = await deps.db.system(async (tx) => {
      const isAccessAlone = query['show'] === 'access';
      const waiting = isAccessAlone
        ? await readWaiting(tx, deps.clock.now(), ['ACCESS_REQUEST'])
        : [];
      const made = [];
      for (const section of isAccessAlone ? [accessRequestsSection] : SECTIONS) {
        made.push(await section(tx, { deps, operator, query, waiting }));
      }
      return made;
    });
    return sendConsolePage(request, reply, {
      ...{ title: 'Requests', current: '/requests' },
      body: (
        <>
          <PageHead
            title="Requests"
            about="Requests of applicants and customers that need a decision."
          />
          {sections}
          <AllSections href="/requests" show={query['show']} />
        </>
      ),
    });
  });
}

/** A query's texts. What came twice counts as it came last. */
function textsOf(query: unknown): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries((query ?? {}) as Record<string, string | readonly string[]>).map(
      ([name, text]) => [name, typeof text === 'string' ? text : text.at(-1)],
    ),
  );
}
