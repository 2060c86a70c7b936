import { Type } from 'typebox';
import { ERROR_CODES, type ErrorCode } from '../../domain/errors/registry.ts';
import {
  BATCH_ITEM_STATES,
  BATCH_ITEMS_MAX,
  BATCH_STATUSES,
} from '../../domain/payments/payment-batch.ts';
import { AmountText, Timestamp, Unit } from './common.ts';
import { Problem } from './error.ts';
import { oneDestination } from './payment-destination.ts';
import { NewPayment } from './payment.ts';

const ItemKey = Type.String({
  pattern: '^[ -~]{1,255}$',
  'x-error': 'invalid_idempotency_key',
  description:
    'A unique key for the payment, as in the Idempotency-Key header of `POST /payments`. Both share the same keys. From 1 to 255 printable ASCII characters.',
  examples: ['payroll-2026-11-0001'],
});

const itemsOf = <Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Array(item, {
    minItems: 1,
    maxItems: BATCH_ITEMS_MAX,
    description: 'The payments to make. They are processed in this order.',
  });

/** What is judged of a batch before it is taken: its shape. An item's own fields are judged item by item. */
export const PaymentBatchShape = Type.Object(
  {
    items: itemsOf(
      Type.Object(
        { idempotencyKey: ItemKey },
        {
          additionalProperties: true,
          'x-error': { required: 'idempotency_key_required' },
        },
      ),
    ),
  },
  { additionalProperties: false },
);

/** What a batch should be, for the document. */
export const NewPaymentBatch = Type.Object(
  {
    items: itemsOf(
      Type.Object(
        { idempotencyKey: ItemKey, ...NewPayment.properties },
        {
          title: 'NewPaymentBatchItem',
          ...oneDestination,
          additionalProperties: false,
          description: 'A payment to make, with its idempotency key.',
        },
      ),
    ),
  },
  {
    title: 'NewPaymentBatch',
    additionalProperties: false,
    description: 'A batch of payments to make.',
  },
);

export const BatchStatus = Type.Enum(BATCH_STATUSES, {
  title: 'PaymentBatchStatus',
  type: 'string',
  description:
    'The status of the batch. COMPLETED: every item is accepted or refused. The accepted payments may still be in progress.',
  examples: ['PROCESSING'],
});

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const PaymentBatch = Type.Object(
  {
    id: Type.String({ examples: ['pba_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    status: BatchStatus,
    counts: Type.Object(
      {
        total: count('The number of items in the batch.'),
        pending: count('The number of items that are not processed yet.'),
        accepted: count('The number of accepted items. Each one is a payment.'),
        refused: count('The number of refused items.'),
      },
      { additionalProperties: false },
    ),
    totals: Type.Array(
      Type.Object(
        {
          ...Unit('The currency or asset of the amounts.'),
          amount: AmountText('The sum of all valid items, in major units.'),
          accepted: AmountText('The sum of all accepted items, in major units.'),
        },
        { additionalProperties: false },
      ),
      { description: 'The sums for each currency and asset.' },
    ),
    version: Type.Integer({
      minimum: 1,
      description:
        'The version of the batch: 1 until the batch is COMPLETED, then 2. Changes of `counts` and `totals` do not increase it.',
    }),
    createdAt: Timestamp('The time at which the batch was accepted.'),
    completedAt: Type.Union([
      Timestamp('The time at which the last item was processed.'),
      Type.Null(),
    ]),
  },
  { title: 'PaymentBatch', additionalProperties: false, description: 'A batch of payments.' },
);

export const BatchItemState = Type.Enum(BATCH_ITEM_STATES, {
  title: 'PaymentBatchItemStatus',
  type: 'string',
  description:
    'The state of the item. ACCEPTED: `paymentId` names the payment. REFUSED: no payment was made, and `error` says why.',
  examples: ['ACCEPTED'],
});

export const PaymentBatchItem = Type.Object(
  {
    index: Type.Integer({
      minimum: 0,
      description: 'The position of the item in the request. The first position is 0.',
    }),
    idempotencyKey: Type.String(),
    state: BatchItemState,
    paymentId: Type.Union([
      Type.String({ examples: ['pay_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
      Type.Null(),
    ]),
    error: Type.Union([
      Type.Object(
        {
          error: Type.Unsafe<ErrorCode>({
            title: 'ErrorCode',
            type: 'string',
            enum: [...ERROR_CODES],
            description: 'The error code that `POST /payments` would have returned.',
          }),
          message: Type.String({
            description: 'A description for developers. The text may change.',
          }),
          details: Type.Array(Problem, {
            description:
              'The first 20 problems of the item. Each path is a JSON Pointer into the item.',
          }),
        },
        { additionalProperties: false },
      ),
      Type.Null(),
    ]),
  },
  { title: 'PaymentBatchItem', additionalProperties: false, description: 'An item of a batch.' },
);
