import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { Refusal, type Problem } from '../../../domain/errors/refusal.ts';
import { refuseProblems } from '../../../domain/errors/refuse-problems.ts';
import type { BatchItem, ReadOrder } from '../../../payment-batches/batch-item.ts';
import type { PaymentBatchShape } from '../../schemas/payment-batch.ts';
import { NewPayment } from '../../schemas/payment.ts';
import { PROBLEMS_MAX } from '../../storable-text.ts';
import { validationProblems } from '../../validation-problems.ts';
import { paymentFingerprint } from '../payments/payment-fingerprint.ts';
import { readOrder } from '../payments/read-order.ts';

type Items = Static<typeof PaymentBatchShape>['items'];

const ID_LENGTH_MAX = 100;

/**
 * The items of a body that has the shape of a batch. Each is read as if it had been sent to POST
 * /payments without its key; what is wrong with its fields concerns it alone. A key that comes twice
 * refuses the batch: nobody could say which of the two was meant.
 */
export function readItems(request: FastifyRequest, items: Items): BatchItem[] {
  refuseRepeatedKeys(items);
  const { items: lossless } = request.losslessBody as { readonly items: readonly object[] };
  return items.map(({ idempotencyKey, ...fields }, index) => {
    const { endUserId } = fields as { readonly endUserId?: unknown };
    const isId = typeof endUserId === 'string' && endUserId.length <= ID_LENGTH_MAX;
    const common = { idempotencyKey, endUserId: isId ? endUserId : null };
    try {
      return { ...common, kind: 'ORDER', read: readItem(request, index, fields, lossless[index]) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { ...common, kind: 'NO_ORDER', refusal: error };
    }
  });
}

function readItem(
  request: FastifyRequest,
  index: number,
  fields: object,
  lossless: object | undefined,
): ReadOrder {
  const validate = request.compileValidationSchema(NewPayment);
  if (!validate(fields)) throw refuseProblems(validationProblems(validate.errors ?? [], 'body'));
  const { idempotencyKey: _key, ...body } = lossless as Readonly<Record<string, unknown>>;
  const decimalText = (pointer: string) => request.decimalText(`/items/${String(index)}${pointer}`);
  return {
    order: readOrder({ decimalText }, fields as Static<typeof NewPayment>),
    fingerprint: paymentFingerprint(body),
  };
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
