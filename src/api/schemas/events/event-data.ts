import { Type } from 'typebox';
import { BankAccount } from '../bank-account.ts';
import { AmountText, CurrencyCode, NullableTimestamp, Timestamp } from '../common.ts';
import { DepositAddress } from '../deposit-address.ts';
import { Deposit } from '../deposit.ts';
import { EndUser } from '../end-user.ts';
import { Kyc } from '../kyc.ts';
import { Payment } from '../payment.ts';
import { PaymentBatch } from '../payment-batch.ts';
import { Wallet } from '../wallet.ts';
import { WebhookEndpoint } from '../webhook-endpoint.ts';

const closed = (title: string, description: string) => ({
  title,
  additionalProperties: false,
  description,
});

/** The `data` of events by their resource: what the API shows of it, less what is personal or the partner's own. */
export const PaymentEventData = Type.Omit(
  Payment,
  ['idempotencyKey', 'reference', 'metadata', 'statusHistory'],
  closed('PaymentEventData', 'A payment as events tell of it.'),
);

export const EndUserEventData = Type.Omit(
  EndUser,
  ['individual', 'business', 'email', 'phone', 'address', 'metadata'],
  closed('EndUserEventData', 'An end-user as events tell of them: nothing personal.'),
);

export const KycEventData = Type.Omit(
  Kyc,
  ['link'],
  closed('KycEventData', 'A KYC check as events tell of it: without its link, which is a secret.'),
);

export const BankAccountEventData = Type.Omit(
  BankAccount,
  ['holderName', 'holderAddress', 'details', 'last4'],
  closed('BankAccountEventData', 'A bank account as events tell of it: no name, no digits.'),
);

export const WalletEventData = Type.Omit(
  Wallet,
  ['address', 'vasp', 'proof'],
  closed('WalletEventData', 'A wallet as events tell of it: neither its address nor its host.'),
);

export const DepositAddressEventData = Type.Omit(
  DepositAddress,
  ['networks'],
  closed('DepositAddressEventData', 'A deposit address as events tell of it.'),
);

export const DepositEventData = Type.Omit(
  Deposit,
  ['from', 'confirmations'],
  closed('DepositEventData', 'A deposit as events tell of it: without the address of its sender.'),
);

export const PaymentBatchEventData = PaymentBatch;

export const FundingCreditEventData = Type.Object(
  {
    id: Type.String({ examples: ['fc_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    status: Type.Enum(['CREDITED', 'REVERSED'] as const, {
      type: 'string',
      description: 'REVERSED: the bank took it back.',
    }),
    currency: CurrencyCode('The balance that it moved.'),
    amount: AmountText('What was credited, or taken back.'),
    reference: Type.Union([Type.String({ pattern: '^RF[0-9]{2}[0-9A-Z]{14}$' }), Type.Null()], {
      description:
        'Yours, of GET /funding-instructions, under which it came; null where operators found whose it is.',
    }),
    bookedAt: NullableTimestamp('When the bank booked it.'),
    balanceTransactionId: Type.String({ examples: ['btx_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
  },
  closed('FundingCreditEventData', 'Money that came in, and nothing of who sent it.'),
);

const { id, types, thin, asymmetric, status, disabledReason, version } = WebhookEndpoint.properties;

export const WebhookEndpointEventData = Type.Object(
  {
    ...{ id, types, thin, asymmetric, status, reason: disabledReason, version },
    createdAt: Timestamp('When it was created.'),
    updatedAt: Timestamp('When it last changed.'),
  },
  closed('WebhookEndpointEventData', 'An endpoint as events tell of it: no URL, no description.'),
);

/** Also what a thin webhook has for `data`. */
export const IdOnly = Type.Object(
  { id: Type.String({ description: 'The same as resource.id.' }) },
  closed('IdOnly', 'The id of what it is about.'),
);
