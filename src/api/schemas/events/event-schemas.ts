import { Type, type TObject, type TSchema } from 'typebox';
import {
  resourceTypeOf,
  type ResourceType,
} from '../../../domain/webhooks/events/resource-types.ts';
import { EVENT_TYPES, type EventType } from '../../../domain/webhooks/event-types.ts';
import { EventEnvelope } from '../event.ts';
import {
  BankAccountEventData,
  DepositAddressEventData,
  DepositEventData,
  EndUserEventData,
  FundingCreditEventData,
  IdOnly,
  KycEventData,
  PaymentBatchEventData,
  PaymentEventData,
  WalletEventData,
  WebhookEndpointEventData,
} from './event-data.ts';
import {
  EndUserBefore,
  KycBefore,
  PaymentBefore,
  WebhookEndpointBefore,
} from './event-previous.ts';
import { EVENT_TEXTS } from './event-texts.ts';
import { statusIn } from './status-in.ts';

const OF_RESOURCE: Readonly<Record<ResourceType, { data: TObject; previous?: TObject }>> = {
  payment: { data: PaymentEventData, previous: PaymentBefore },
  payment_batch: { data: PaymentBatchEventData },
  end_user: { data: EndUserEventData, previous: EndUserBefore },
  kyc: { data: KycEventData, previous: KycBefore },
  bank_account: { data: BankAccountEventData },
  wallet: { data: WalletEventData },
  deposit_address: { data: DepositAddressEventData },
  deposit: { data: DepositEventData },
  funding_credit: { data: FundingCreditEventData },
  webhook_endpoint: { data: WebhookEndpointEventData, previous: WebhookEndpointBefore },
};

const { data: _data, previous: _previous, ...ids } = EventEnvelope.properties;

const only = <Text extends string>(text: Text) =>
  Type.Enum([text] as const, { type: 'string', examples: [text] });

/** `payment_batch.created` has the schema `PaymentBatchCreatedEvent`. */
export const eventSchemaTitle = (type: EventType): string => `${pascal(type)}Event`;

const pascal = (name: string): string =>
  name.replace(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase());

function eventSchema(type: EventType): TObject {
  const resourceType = resourceTypeOf(type);
  const { data, previous } =
    type === 'ping' ? { data: IdOnly, previous: undefined } : OF_RESOURCE[resourceType];
  const status = statusIn(type);
  const narrowed: TSchema =
    status === null ? data : Type.Intersect([data, Type.Object({ status: only(status) })]);
  const { id, version } = EventEnvelope.properties.resource.properties;
  return Type.Object(
    {
      ...ids,
      type: only(type),
      resource: Type.Object(
        { type: only(resourceType), id, version },
        { title: `${pascal(resourceType)}EventResource`, additionalProperties: false },
      ),
      data: narrowed,
      ...(previous && { previous: Type.Optional(previous) }),
    },
    { title: eventSchemaTitle(type), additionalProperties: false, description: EVENT_TEXTS[type] },
  );
}

/** The exact schema of every type of event. Additive only: the next version may have more fields. */
export const EVENT_SCHEMAS = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, eventSchema(type)]),
) as Readonly<Record<EventType, TObject>>;

/** What an endpoint with `thin` is sent. */
export const ThinEvent = Type.Object(
  { ...ids, data: IdOnly },
  {
    title: 'ThinEvent',
    additionalProperties: false,
    description:
      'An event that contains ids only. `GET /events/{id}` returns the complete event for 90 days.',
  },
);
