import type { ScopedTransaction } from '../../db/client/database.ts';
import type { Parties } from '../../db/parties/party-store.ts';
import {
  readTravelHosts,
  readTravelParties,
  type SealedHost,
  type SealedParty,
} from '../../db/payments/travel-rule-store.ts';
import type { Problem } from '../../domain/errors/refusal.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { destinationIds } from '../../domain/payments/payment-destination.ts';
import type { Scope } from '../../domain/scope.ts';
import {
  ivmsPerson,
  missingOf,
  vaspPerson,
  type NamedVasp,
  type TravelParty,
} from '../../domain/payments/travel-rule/ivms101.ts';
import type { TravelRulePolicy } from '../../domain/payments/travel-rule/travel-rule-policy.ts';
import type { TravelTransfer } from '../../domain/payments/travel-rule/travel-rule-provider.ts';
import { endUserRow, type EndUserPersonal } from '../parties/end-users/end-user-personal.ts';
import { isErased } from '../../vault/owner-key.ts';
import type { Vault } from '../../vault/vault.ts';
import { walletRow, type WalletVasp } from '../parties/wallets/wallet-vasp.ts';
import { problem } from './order-problem.ts';
import type { PaymentOrder } from './payment-order.ts';

/** The row that a payment's record is sealed for. */
export const travelRuleRow = (paymentId: string): string => `travel_rule_records/${paymentId}`;

/** What goes with a transfer, or what is in its way. */
export interface TravelJudgement {
  readonly problems: readonly Problem[];
  /** Null: nothing goes with it, or not all is known. */
  readonly transfer: TravelTransfer | null;
}

const NOTHING: TravelJudgement = { problems: [], transfer: null };

/**
 * Makes what goes with transfers to wallets, before anything is accepted: the end-user sends, and the owner of the
 * wallet receives, who is the end-user too, or the customer where the wallet is its own. Plain orders ask the database
 * nothing.
 */
export async function openTravelRule(
  { originatingVasp, areHostsAsked }: TravelRulePolicy,
  vault: Vault,
  tx: ScopedTransaction,
  scope: Scope,
  orders: readonly PaymentOrder[],
): Promise<(order: PaymentOrder, parties: Parties) => TravelJudgement> {
  const toWallets = orders.filter(({ destination }) => destination.kind === 'WALLET');
  if (originatingVasp === null || toWallets.length === 0) return () => NOTHING;
  const endUserIds = toWallets.map(({ endUserId }) => endUserId);
  const known = (await readTravelParties(tx, scope, endUserIds))
    .filter((row) => !isErased(row))
    .map((row) => ({ ...row, party: openParty(vault, row) }));
  const walletIds = toWallets.flatMap((order) => walletIdOf(order) ?? []);
  const hosts = new Map((await readTravelHosts(tx, scope, walletIds)).map((row) => [row.id, row]));
  return (order, { network, address, walletOwner, walletOwnership }) => {
    const host = hosts.get(walletIdOf(order) ?? '');
    if (host === undefined || network === null || address === null) return NOTHING;
    if (walletOwnership === 'HOSTED' && !areHostsAsked) return { ...NOTHING, problems: [NO_WAY] };
    const originator = known.find(({ id }) => id === order.endUserId)?.party;
    const beneficiary = walletOwner === null ? known.find(({ isOwn }) => isOwn)?.party : originator;
    const fields = missingFields(originator, beneficiary);
    if (originator === undefined || beneficiary === undefined || fields.length > 0) {
      return { ...NOTHING, problems: [required(fields)] };
    }
    const vasp = openHost(vault, host);
    const transfer = {
      ...{ asset: order.unit, network, address, vasp },
      amount: formatAmount(order.amount, order.unit),
      ivms101: {
        originator: {
          originatorPerson: [ivmsPerson(originator)],
          accountNumber: [originator.id],
        },
        beneficiary: {
          beneficiaryPerson: [ivmsPerson(beneficiary)],
          accountNumber: [address],
        },
        originatingVASP: { originatingVASP: vaspPerson(originatingVasp) },
        ...(vasp && { beneficiaryVASP: { beneficiaryVASP: vaspPerson(vasp) } }),
        payloadMetadata: { payloadVersion: '101.2023' as const },
      },
    };
    return { problems: [], transfer };
  };
}

const walletIdOf = ({ destination }: PaymentOrder): string | null =>
  destinationIds(destination).walletId;

const NO_WAY = problem(
  'corridor_unavailable',
  '/walletId',
  'The provider (VASP) of the wallet cannot receive travel rule data, so the wallet cannot be paid.',
);

/** By the fields of an end-user; those of the customer's own company are named as such. */
function missingFields(
  originator: TravelParty | undefined,
  beneficiary: TravelParty | undefined,
): string[] {
  const own = beneficiary === undefined ? ['ownEntity'] : missingOf(beneficiary);
  const ofSender = originator === undefined ? [] : missingOf(originator);
  if (beneficiary === originator) return ofSender;
  const prefixed = own.map((field) => (field === 'ownEntity' ? field : `ownEntity.${field}`));
  return [...ofSender, ...prefixed];
}

const required = (fields: readonly string[]): Problem => ({
  path: '/endUserId',
  code: 'travel_rule_data_required',
  message:
    'The travel rule requires data about the sender and the receiver. Complete the fields in `meta.fields`.',
  meta: { fields: [...fields] },
});

function openParty(vault: Vault, { id, ownerKey, personal }: SealedParty): TravelParty {
  const opened = vault
    .of({ endUserId: id, ownerKey })
    .openJson<EndUserPersonal>(personal, endUserRow(id));
  const { individual, business, address } = opened;
  return { id, individual, business, address };
}

function openHost(vault: Vault, { id, endUserId, ownerKey, vasp }: SealedHost): NamedVasp | null {
  if (vasp === null) return null;
  const sealer = endUserId === null ? vault : vault.of({ endUserId, ownerKey });
  return sealer.openJson<WalletVasp>(vasp, walletRow(id));
}
