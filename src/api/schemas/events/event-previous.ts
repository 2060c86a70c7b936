import { Type } from 'typebox';
import { EndUserStatus, KycStatus } from '../end-user.ts';
import { Payment } from '../payment.ts';
import { WebhookEndpoint } from '../webhook-endpoint.ts';

const was = (title: string) => ({
  title,
  additionalProperties: false,
  description: 'The previous values of the changed fields.',
});

const { status, statusDetail } = Payment.properties;

export const PaymentBefore = Type.Object({ status, statusDetail }, was('PaymentBefore'));
export const EndUserBefore = Type.Object(
  { status: EndUserStatus, kycStatus: KycStatus },
  was('EndUserBefore'),
);
export const KycBefore = Type.Object({ status: KycStatus }, was('KycBefore'));
export const WebhookEndpointBefore = Type.Object(
  { status: WebhookEndpoint.properties.status },
  was('WebhookEndpointBefore'),
);
