import { confirmOperator } from '../../../../../modules/customers/access/confirm-operator.ts';
import {
  disableOperator,
  type Disabling,
} from '../../../../../modules/customers/access/disable-operator.ts';
import { personNameRow } from '../../../../../domain/customers/access/person-rows.ts';
import { findOperator, type OperatorRow } from '../../../../../db/customers/operator-list-store.ts';
import { noSuchPage, PageRefusal } from '../../../../kit/page-refusal.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import { serveAct } from '../../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../../console-deps.ts';

const WHY_NOT: Readonly<Record<Exclude<Disabling, 'DONE'>, string>> = {
  NOT_ACTIVE: 'The account is not active any more.',
  OWN: 'No operator disables their own account.',
  LAST_ADMIN: 'It is the account of the last admin: no one could confirm another one.',
};

/** /operators/{id}/disable, by one admin, at once; /confirm, by an admin who is another one. */
export function serveOperatorActs(app: WebApp, deps: ConsoleDeps): void {
  serveAct(app, deps, {
    ...{ path: '/operators/:id/disable', current: '/operators', fields: {} },
    ...({ right: 'write-operators', actingIn: 'system' } as const),
    async load({ id }) {
      const found = await deps.db.system((tx) => findOperator(tx, id));
      if (found === null) throw noSuchPage();
      return found;
    },
    page: ({ id, name, role }: OperatorRow) => ({
      ...{ title: 'Disable an operator', submit: 'Disable', isDangerous: true },
      words: `Disable operator ${id}`,
      trail: { href: '/operators', text: 'Operators', here: id },
      about: (
        <p>
          {deps.vault.open(name, personNameRow(id)).toString()} ({role.toLowerCase()}) is logged out
          everywhere and does not get in again. What this operator has proposed and no other
          operator has approved yet cannot be approved any more.
        </p>
      ),
    }),
    async perform({ subject, act, deps: acting }) {
      const became = await disableOperator(acting, subject.id, act);
      if (became !== 'DONE') throw new PageRefusal(409, 'It was not done', WHY_NOT[became]);
      return '/operators';
    },
  });

  serveAct(app, deps, {
    ...{ path: '/operators/:id/confirm', current: '/operators', fields: {} },
    ...({ right: 'write-operators', actingIn: 'system' } as const),
    async load({ id }) {
      const found = await deps.db.system((tx) => findOperator(tx, id));
      if (found === null) throw noSuchPage();
      return found;
    },
    page: ({ id, name, role }: OperatorRow) => ({
      ...{ title: 'Confirm an operator', submit: 'Confirm' },
      words: `Confirm operator ${id}`,
      trail: { href: '/operators', text: 'Operators', here: id },
      about: (
        <p>
          {deps.vault.open(name, personNameRow(id)).toString()} ({role.toLowerCase()}) was added by
          a command. Once confirmed, this operator can approve what another one proposes. Make sure
          that it is who you think it is.
        </p>
      ),
    }),
    async perform({ subject, act, deps: acting }) {
      if (await confirmOperator(acting, subject.id, act)) return '/operators';
      throw new PageRefusal(
        409,
        'It was not done',
        'The account is confirmed already, is not active any more, or is your own.',
      );
    },
  });
}
