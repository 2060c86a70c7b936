import {
  ApprovalRefused,
  decideApproval,
} from '../../../../../modules/approvals/decide-approval.ts';
import type { OperatorAct } from '../../../../../modules/approvals/propose-approval.ts';
import { withinTransaction } from '../../../../../modules/approvals/within-transaction.ts';
import { declineAddress, proposeAddress } from '../../../../../modules/customers/decide-address.ts';
import type { AddressToDecide } from '../../../../../db/customers/address-decision-store.ts';
import type { SystemTransaction } from '../../../../../db/client/database.ts';
import type { ActingDeps } from '../../../acts/act.ts';

/** Approving is done where all approvals are. */
export type AddressActName = 'propose' | 'decline';

interface AddressAct {
  readonly submit: string;
  readonly about: string;
  readonly isDangerous: boolean;
  /** Does it, in the transaction that uses its form; answers the mails that it wrote. */
  readonly run: (
    deps: ActingDeps,
    tx: SystemTransaction,
    address: AddressToDecide,
    act: OperatorAct,
  ) => Promise<readonly string[]>;
}

/** What operators do about an address that waits. */
export const ADDRESS_ACTS: Readonly<Record<AddressActName, AddressAct>> = {
  propose: {
    submit: 'Propose approval',
    about: 'A second operator has to approve it within seven days; until then nothing changes.',
    isDangerous: false,
    async run(deps, tx, { id }, act) {
      if ((await proposeAddress(deps, tx, id, act)) === null) {
        throw new ApprovalRefused('Another operator has proposed it meanwhile.');
      }
      return [];
    },
  },
  decline: {
    submit: 'Decline',
    about: 'It takes one operator. The customer reads the reason, and may propose it again.',
    isDangerous: true,
    async run(deps, tx, { id, approvalId }, act) {
      const deciding = { db: withinTransaction(tx), clock: deps.clock };
      if (approvalId !== null) await decideApproval(deciding, approvalId, 'REFUSED', act);
      return declineAddress(deps, tx, id, act);
    },
  },
};
