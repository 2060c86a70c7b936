import { Type } from 'typebox';
import { FEE_TYPES } from '../../domain/payments/fees/payment-fee.ts';
import { AmountText, Unit } from './common.ts';

export const Fee = Type.Object(
  {
    type: Type.Enum(FEE_TYPES, {
      type: 'string',
      description: 'What kind of fee it is. More may come.',
    }),
    amount: AmountText('In the source, part of what is paid.'),
    ...Unit('What the source is in.'),
    bps: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Basis points that are in it; null where the fee is no share of an amount.',
    }),
    description: Type.String({ description: 'For people; it may change.' }),
  },
  { title: 'Fee', additionalProperties: false, description: 'A part of what is paid.' },
);
