import { isGrpcServiceError } from '@temporalio/client';
import { askVoid, isVoidable } from '../../../../modules/onchain/ask-void.ts';
import {
  findTransferForOps,
  type ChainTransferRow,
} from '../../../../db/onchain/chain-transfer-store.ts';
import { noSuchPage, notNow, PageRefusal } from '../../../kit/page-refusal.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import { serveAct } from '../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../console-deps.ts';

/** /payments/{id}/void: one operator gives up a transfer over a chain that is not settled. */
export function serveVoidAct(app: WebApp, deps: ConsoleDeps): void {
  serveAct(app, deps, {
    ...{ path: '/payments/:id/void', current: '/payments', fields: {} },
    ...({ right: 'decide-payments', actingIn: 'system', needsTemporal: true } as const),
    load: ({ id }) => load(deps, id),
    page: (transfer: ChainTransferRow) => ({
      ...{ title: 'Give the transfer up', submit: 'Give up', isDangerous: true },
      trail: { href: `/payments/${transfer.paymentId}`, text: 'Payment', here: transfer.paymentId },
      words: `Give up transfer ${transfer.reference} of payment ${transfer.paymentId}`,
      about: (
        <p>
          It is {transfer.state} on {transfer.network}. What has not been sent fails at once, and
          its funds go back. Of what was sent the nonce is used up by a transaction that moves
          nothing: what is mined decides, so it may still be paid. While its network may have paid
          what is not known here, what has not been sent is noted as given up: it is never sent, and
          fails once every hot address of the network is open or given up, and none is found to have
          paid it.
        </p>
      ),
    }),
    async perform({ subject, act, deps: acting }) {
      const outcome = await askVoid(acting, subject, act).catch(sayTemporalIsDown);
      if ('why' in outcome) {
        throw new PageRefusal(409, 'It was not given up', outcome.why);
      }
      return `/payments/${subject.paymentId}`;
    },
  });
}

/** It went down since it was asked. That it was asked for is written down; the transfer is as it was. */
function sayTemporalIsDown(error: unknown): never {
  throw isGrpcServiceError(error) ? notNow() : error;
}

async function load({ db }: ConsoleDeps, id: string): Promise<ChainTransferRow> {
  const transfer = await db.system((tx) => findTransferForOps(tx, id));
  if (transfer?.paymentId !== id) throw noSuchPage();
  if (isVoidable(transfer)) return transfer;
  throw new PageRefusal(
    409,
    'It was not given up',
    'Its transfer is settled, over, or noted as given up.',
  );
}
