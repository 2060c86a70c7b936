import { Type } from 'typebox';
import {
  FAILURE_CATEGORIES,
  PARTNER_ACTIONS,
} from '../../domain/payments/failures/failure-categories.ts';

/** What is told of a reason everywhere: in the list of reasons, in a failure and in a return. */
const ReasonFields = {
  code: Type.String({
    description: 'One of GET /failure-codes. More may come.',
    examples: ['account_not_found'],
  }),
  category: Type.Enum(FAILURE_CATEGORIES, {
    type: 'string',
    description: 'Who decided so. More values may come.',
    examples: ['BANK_REJECTED'],
  }),
  message: Type.String({ description: 'For developers.' }),
  retryable: Type.Boolean({ description: 'Whether a new payment may succeed unchanged.' }),
  action: Type.Enum(PARTNER_ACTIONS, {
    type: 'string',
    description: 'What to do next. More values may come.',
    examples: ['CORRECT_ACCOUNT'],
  }),
};

/** Why one payment failed or came back. */
export const OutcomeReasonFields = {
  ...ReasonFields,
  railCode: Type.Union([Type.String(), Type.Null()], {
    description: "The bank's own code; null where it gave none, or none that may be told.",
    examples: ['AC04'],
  }),
};

/** A row of GET /failure-codes. */
export const FailureCode = Type.Object(
  {
    ...ReasonFields,
    nextStep: Type.String({ description: 'The same as action, in a sentence.' }),
    railCodes: Type.Array(Type.String(), {
      description:
        'The codes of rails that are told so: ISO 20022, Nacha, and those of bank-contract.md.',
    }),
  },
  { title: 'FailureCode', additionalProperties: false },
);
