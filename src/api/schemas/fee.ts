import { Type } from 'typebox';
import { FEE_TYPES } from '../../domain/payments/fees/payment-fee.ts';
import { AmountText, Unit } from './common.ts';

export const Fee = Type.Object(
  {
    type: Type.Enum(FEE_TYPES, {
      title: 'FeeType',
      type: 'string',
      description: 'The type of the fee. More values may be added.',
    }),
    amount: AmountText(
      'The amount of the fee, in major units of the source. It is part of the source amount.',
    ),
    ...Unit('The currency or asset of the source.'),
    bps: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'The variable part of the fee, in basis points. Null if the fee is a fixed amount.',
    }),
    description: Type.String({ description: 'A description for people. The text may change.' }),
  },
  {
    title: 'Fee',
    additionalProperties: false,
    description: 'A fee that is part of the source amount.',
  },
);
