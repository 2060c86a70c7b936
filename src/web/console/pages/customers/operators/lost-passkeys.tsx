import { personNameRow } from '../../../../../domain/customers/access/person-rows.ts';
import { proposePasskeyRemoval } from '../../../../../modules/customers/access/remove-passkeys.ts';
import { findOperator, type OperatorRow } from '../../../../../db/customers/operator-list-store.ts';
import { countPasskeys } from '../../../../../db/customers/passkey-store.ts';
import { findPersonCustomer } from '../../../../../db/customers/person-store.ts';
import { findUser, type UserRow } from '../../../../../db/customers/user-store.ts';
import { APPROVAL_RIGHTS } from '../../../../../domain/approvals/approval-rights.ts';
import type { FormRules } from '../../../../kit/forms/form-rules.ts';
import { noSuchPage, PageRefusal } from '../../../../kit/page-refusal.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { Acting } from '../../../acts/act.ts';
import { proposedPage } from '../../../acts/proposed-page.ts';
import { serveAct } from '../../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../../console-deps.ts';

const refused = (why: string) =>
  new PageRefusal(409, 'It cannot be proposed', `${why} Nothing was changed.`);

/** The reason is all that is filled in. */
const FIELDS: FormRules = {};

/** /operators/{id}/lost-passkeys and /owners/{id}/lost-passkeys: two of compliance remove all passkeys of a person. */
export function serveLostPasskeys(app: WebApp, deps: ConsoleDeps): void {
  const common = {
    right: APPROVAL_RIGHTS.REMOVE_PASSKEYS,
    actingIn: 'system',
    fields: FIELDS,
  } as const;
  const perform = async ({
    subject,
    act,
    deps: acting,
  }: Acting<FormRules, { readonly id: string }>) => {
    const proposed = await proposePasskeyRemoval(acting, subject.id, act);
    if (proposed === 'NO_PERSON') throw noSuchPage();
    return proposedPage(proposed.proposalId);
  };

  serveAct(app, deps, {
    ...{ ...common, perform, path: '/operators/:id/lost-passkeys', current: '/operators' },
    async load({ id, operator }) {
      const found = await deps.db.system((tx) => findOperator(tx, id));
      if (found === null) throw noSuchPage();
      if (found.id === operator.id) throw refused('Your own passkeys are under Settings.');
      await requireLosable(deps, found);
      return found;
    },
    page: ({ id, name, role }: OperatorRow) => ({
      ...pageOf(id, { href: '/operators', text: 'Operators' }),
      about: (
        <p>
          All passkeys of {deps.vault.open(name, personNameRow(id)).toString()} (
          {role.toLowerCase()}) are removed <Outcome />
        </p>
      ),
    }),
  });

  serveAct(app, deps, {
    ...{ ...common, perform, path: '/owners/:id/lost-passkeys', current: '/customers' },
    async load({ id }) {
      const found = await deps.db.system(async (tx) => {
        const customerId = await findPersonCustomer(tx, id);
        return customerId === null ? null : findUser(tx, customerId, id);
      });
      // Other users have an owner, who knows them.
      if (found?.role !== 'OWNER') throw noSuchPage();
      await requireLosable(deps, found);
      return found;
    },
    page: ({ id, customerId }: UserRow) => ({
      ...pageOf(id, { href: `/customers/${customerId}`, text: 'Customer' }),
      about: (
        <p>
          All passkeys of owner {id} of customer {customerId} are removed <Outcome />
        </p>
      ),
    }),
  });
}

const Outcome = () => (
  <>
    once another operator of compliance approves, and every session ends. Until a new one is added
    the mailbox alone opens the account. Call back on a number that you knew before: who has taken
    over a mailbox asks for just this.
  </>
);

const pageOf = (id: string, trail: { readonly href: string; readonly text: string }) => ({
  ...{ title: 'Propose to remove lost passkeys', submit: 'Propose', isDangerous: true },
  words: `Propose to remove all passkeys of ${id}`,
  trail: { ...trail, here: id },
});

/** Refuses where the person may not log in anyway, or has no passkey. */
async function requireLosable(
  { db }: ConsoleDeps,
  { id, status }: { readonly id: string; readonly status: string },
): Promise<void> {
  if (status !== 'ACTIVE') throw refused('The account is not active.');
  const passkeys = await db.system((tx) => countPasskeys(tx, [id]));
  if (passkeys.size === 0) throw refused('There is no passkey.');
}
