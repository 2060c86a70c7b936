import { Type } from 'typebox';
import { NO_ARRIVAL_REASONS } from '../../domain/payments/corridors/arrival.ts';
import { Timestamp } from './common.ts';
import { orNull } from './or-null.ts';

/** When money arrives, or one of the reasons why that is not known: those of an order, and more. */
export const ExpectedArrival = <const More extends readonly string[]>(
  at: string,
  moreReasons: More,
  options: { readonly title?: string; readonly description?: string } = {},
) =>
  Type.Object(
    {
      at: orNull(Timestamp(at), 'Null if the time is not known.'),
      reason: orNull(
        Type.Enum(
          [
            ...NO_ARRIVAL_REASONS,
            'AWAITS_DEPOSIT',
            'CORRIDOR_UNAVAILABLE',
            ...moreReasons,
          ] as const,
          { type: 'string' },
        ),
        'The reason why `at` is null. More values may be added.',
      ),
    },
    { ...options, additionalProperties: false },
  );
