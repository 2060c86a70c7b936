import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { Refusal, refuseField, type Problem } from '../../../../domain/errors/refusal.ts';
import { refuseProblems } from '../../../../domain/errors/refuse-problems.ts';
import type { BatchItem, ReadOrder } from '../../../../modules/payments/batches/batch-item.ts';
import type { PaymentBatchShape } from '../../../schemas/payment-batch.ts';
import { NewPayment } from '../../../schemas/payment.ts';
import {
  findUnstorableText,
  isStorableText,
  PROBLEMS_MAX,
} from '../../../../web/kit/http/storable-text.ts';
import { validationProblems } from '../../../validation-problems.ts';
import { paymentFingerprint } from '../payment-fingerprint.ts';
import { readPaymentOrder } from '../read-payment-order.ts';

type Items = Static<typeof PaymentBatchShape>['items'];

/** Read in one go; then other requests have their turn. */
const ITEMS_A_TURN = 25;

const ID_LENGTH_MAX = 100;

/** A payment has a dozen fields: with more an item is none, and telling of each would take long. */
const FIELDS_MAX = 64;

/**
 * The items of a body that has the shape of a batch. Each is read as if it had been sent to POST
 * /payments without its key; what is wrong with its fields concerns it alone. A key that comes twice
 * refuses the batch: which of the two was meant cannot be told.
 */
export async function readItems(request: FastifyRequest, items: Items): Promise<BatchItem[]> {
  refuseRepeatedKeys(items);
  const { items: lossless } = request.losslessBody as { readonly items: readonly object[] };
  const read: BatchItem[] = [];
  for (const [index, { idempotencyKey, ...fields }] of items.entries()) {
    if (index % ITEMS_A_TURN === 0) await letOthersRun();
    const { endUserId } = fields as { readonly endUserId?: unknown };
    const common = { idempotencyKey, endUserId: isId(endUserId) ? endUserId : null };
    try {
      const order = readItem(request, index, fields, lossless[index]);
      read.push({ ...common, kind: 'ORDER', read: order });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      read.push({ ...common, kind: 'NO_ORDER', refusal: error });
    }
  }
  return read;
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= ID_LENGTH_MAX && isStorableText(value);

function readItem(
  request: FastifyRequest,
  index: number,
  fields: object,
  lossless: object | undefined,
): ReadOrder {
  refuseUnreadable(fields);
  const validate = request.compileValidationSchema(NewPayment);
  if (!validate(fields)) throw refuseProblems(validationProblems(validate.errors ?? [], 'body'));
  const { idempotencyKey: _key, ...body } = lossless as Readonly<Record<string, unknown>>;
  const decimalText = (pointer: string) => request.decimalText(`/items/${String(index)}${pointer}`);
  return {
    order: readPaymentOrder({ decimalText }, fields as Static<typeof NewPayment>),
    fingerprint: paymentFingerprint(body),
  };
}

/** What the body of a single payment is refused for before its fields are looked at. */
function refuseUnreadable(fields: object): void {
  if (Object.keys(fields).length > FIELDS_MAX) {
    throw refuseField(
      'validation_failed',
      '',
      `The item must not have more than ${String(FIELDS_MAX)} fields.`,
    );
  }
  const problems = findUnstorableText(fields, '', 'validation_failed');
  if (problems.length === 0) return;
  throw new Refusal(
    'validation_failed',
    'The item contains characters that cannot be stored. `details` lists the fields.',
    problems,
  );
}

function refuseRepeatedKeys(items: Items): void {
  const firsts = new Map<string, number>();
  const problems: Problem[] = [];
  for (const [index, { idempotencyKey }] of items.entries()) {
    const first = firsts.get(idempotencyKey);
    if (first === undefined) firsts.set(idempotencyKey, index);
    else if (problems.length < PROBLEMS_MAX) {
      problems.push({
        path: `/items/${String(index)}/idempotencyKey`,
        code: 'repeated_key',
        message: `Item ${String(first)} has the same idempotencyKey.`,
        meta: { first: `/items/${String(first)}/idempotencyKey` },
      });
    }
  }
  if (problems.length > 0) throw refuseProblems(problems);
}
