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
  ['expectedArrival', 'idempotencyKey', 'reference', 'metadata', 'statusHistory'],
  closed('PaymentEventData', 'A payment in an event.'),
);

export const EndUserEventData = Type.Omit(
  EndUser,
  ['individual', 'business', 'email', 'phone', 'address', 'metadata'],
  closed('EndUserEventData', 'An end-user in an event, without personal data.'),
);

export const KycEventData = Type.Omit(
  Kyc,
  ['link'],
  closed('KycEventData', 'A KYC check in an event, without its secret link.'),
);

export const BankAccountEventData = Type.Omit(
  BankAccount,
  ['holderName', 'holderAddress', 'details', 'last4'],
  closed(
    'BankAccountEventData',
    "A bank account in an event, without the holder's name and the account details.",
  ),
);

export const WalletEventData = Type.Omit(
  Wallet,
  ['address', 'vasp', 'proof'],
  closed('WalletEventData', 'A wallet in an event, without its address and its provider.'),
);

export const DepositAddressEventData = Type.Omit(
  DepositAddress,
  ['networks'],
  closed('DepositAddressEventData', 'A deposit address in an event.'),
);

export const DepositEventData = Type.Omit(
  Deposit,
  ['from', 'confirmations'],
  closed('DepositEventData', 'A deposit in an event, without the address of its sender.'),
);

export const PaymentBatchEventData = PaymentBatch;

export const FundingCreditEventData = Type.Object(
  {
    id: Type.String({ examples: ['fc_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    status: Type.Enum(['CREDITED', 'REVERSED'] as const, {
      type: 'string',
      description: 'The status of the credit. REVERSED: the bank reversed it.',
    }),
    currency: CurrencyCode('The currency of the balance, as a three-letter ISO 4217 code.'),
    amount: AmountText('The amount that was credited or reversed, in major units.'),
    reference: Type.Union([Type.String({ pattern: '^RF[0-9]{2}[0-9A-Z]{14}$' }), Type.Null()], {
      description:
        'Your reference from `GET /funding-instructions` that the payer gave. Null if an operator assigned the funds to you.',
    }),
    bookedAt: NullableTimestamp('The time at which the bank booked the credit.'),
    balanceTransactionId: Type.String({ examples: ['btx_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
  },
  closed('FundingCreditEventData', 'Incoming funds, without data about the sender.'),
);

const { id, types, thin, asymmetric, status, disabledReason, version } = WebhookEndpoint.properties;

export const WebhookEndpointEventData = Type.Object(
  {
    ...{ id, types, thin, asymmetric, status, reason: disabledReason, version },
    createdAt: Timestamp('The time at which the resource was created.'),
    updatedAt: Timestamp('The time of the last change.'),
  },
  closed(
    'WebhookEndpointEventData',
    'A webhook endpoint in an event, without its URL and description.',
  ),
);

/** Also what a thin webhook has for `data`. */
export const IdOnly = Type.Object(
  { id: Type.String({ description: 'The id of the resource, as in `resource.id`.' }) },
  closed('IdOnly', 'The id of the resource.'),
);
