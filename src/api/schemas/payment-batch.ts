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
    'As the Idempotency-Key of POST /payments, among the same keys: another one for each payment. 1 to 255 printable ASCII characters.',
  examples: ['payroll-2026-11-0001'],
});

const itemsOf = <Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Array(item, {
    minItems: 1,
    maxItems: BATCH_ITEMS_MAX,
    description: 'Payments to make, judged in this order.',
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
          description: 'A payment to make, and its key.',
        },
      ),
    ),
  },
  { title: 'NewPaymentBatch', additionalProperties: false, description: 'Payments to make.' },
);

export const BatchStatus = Type.Enum(BATCH_STATUSES, {
  type: 'string',
  description: 'COMPLETED once every item is judged; the payments themselves go on.',
  examples: ['PROCESSING'],
});

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const PaymentBatch = Type.Object(
  {
    id: Type.String({ examples: ['pba_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    status: BatchStatus,
    counts: Type.Object(
      {
        total: count('Items that were sent.'),
        pending: count('Not judged yet.'),
        accepted: count('Items that are payments.'),
        refused: count('Items that are none.'),
      },
      { additionalProperties: false },
    ),
    totals: Type.Array(
      Type.Object(
        {
          ...Unit('What the amounts are in.'),
          amount: AmountText('Of all items in it whose fields fit.'),
          accepted: AmountText('Of those that are payments.'),
        },
        { additionalProperties: false },
      ),
      { description: 'By currency and asset.' },
    ),
    version: Type.Integer({
      minimum: 1,
      description: '1 until the batch is COMPLETED, then 2; counts and totals move in between.',
    }),
    createdAt: Timestamp('When it was taken.'),
    completedAt: Type.Union([Timestamp('When the last item was judged.'), Type.Null()]),
  },
  { title: 'PaymentBatch', additionalProperties: false, description: 'A batch of payments.' },
);

export const BatchItemState = Type.Enum(BATCH_ITEM_STATES, {
  type: 'string',
  description: 'ACCEPTED: it is the payment `paymentId`. REFUSED: it is none, for `error`.',
  examples: ['ACCEPTED'],
});

export const PaymentBatchItem = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Its place in the request, from 0.' }),
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
            type: 'string',
            enum: [...ERROR_CODES],
            description: 'What POST /payments would have answered.',
          }),
          message: Type.String({ description: 'A sentence for developers; it may change.' }),
          details: Type.Array(Problem, {
            description: 'Pointers into the item; the first 20 problems.',
          }),
        },
        { additionalProperties: false },
      ),
      Type.Null(),
    ]),
  },
  { title: 'PaymentBatchItem', additionalProperties: false, description: 'An item of a batch.' },
);
