import { Type } from 'typebox';
import { Payment } from './payment.ts';

export const KeyToClose = Type.Object(
  {
    idempotencyKey: Type.String({
      // HTTP takes spaces around a header's value away: the key that was sent has none, and is another one.
      pattern: '^[!-~]([ -~]{0,253}[!-~])?$',
      'x-error': 'invalid_idempotency_key',
      description:
        'The key to close, as it was sent in the Idempotency-Key header, or as the key of an item of a batch. From 1 to 255 printable ASCII characters, without spaces at the beginning or end: HTTP removes them from a header.',
      examples: ['invoice-4711-1'],
    }),
  },
  {
    title: 'KeyToClose',
    additionalProperties: false,
    'x-error': { required: 'idempotency_key_required' },
    description: 'An idempotency key to close.',
  },
);

export const KeyClosing = Type.Object(
  {
    state: Type.Enum(['CLOSED', 'PAYMENT', 'OTHER_RESOURCE'] as const, {
      type: 'string',
      description:
        '`CLOSED`: no request was carried out with the key, and none ever is. `PAYMENT`: the key made `payment`. `OTHER_RESOURCE`: the key made no payment; another POST was carried out with it.',
    }),
    payment: Type.Optional(Payment),
  },
  {
    title: 'KeyClosing',
    additionalProperties: false,
    description:
      'What an idempotency key stands for. `payment` is there if the state is `PAYMENT`, as `GET /payments/{paymentId}` shows it now. It counts as not paid only by its final `status` and its `fundsStatus`.',
  },
);
