import { Type } from 'typebox';
import {
  FAILURE_CATEGORIES,
  PARTNER_ACTIONS,
} from '../../domain/payments/failures/failure-categories.ts';

/** What is told of a reason everywhere: in the list of reasons, in a failure and in a return. */
const ReasonFields = {
  code: Type.String({
    description: 'A code of `GET /failure-codes`. More values may be added.',
    examples: ['account_not_found'],
  }),
  category: Type.Enum(FAILURE_CATEGORIES, {
    title: 'FailureCategory',
    type: 'string',
    description: 'The origin of the failure. More values may be added.',
    examples: ['BANK_REJECTED'],
  }),
  message: Type.String({ description: 'A description for developers.' }),
  retryable: Type.Boolean({
    description: 'Whether a new payment with the same data and a new Idempotency-Key may succeed.',
  }),
  action: Type.Enum(PARTNER_ACTIONS, {
    title: 'FailureAction',
    type: 'string',
    description: 'What to do next. More values may be added.',
    examples: ['CORRECT_ACCOUNT'],
  }),
};

/** Why one payment failed or came back. */
export const OutcomeReasonFields = {
  ...ReasonFields,
  railCode: Type.Union([Type.String(), Type.Null()], {
    description:
      'The code that the bank gave. Null if the bank gave no code, or a code that cannot be disclosed.',
    examples: ['AC04'],
  }),
};

/** A row of GET /failure-codes. */
export const FailureCode = Type.Object(
  {
    ...ReasonFields,
    nextStep: Type.String({ description: 'The recommended action, as a sentence.' }),
    railCodes: Type.Array(Type.String(), {
      description:
        'The rail codes that map to this failure code: codes of ISO 20022, Nacha, and the bank contract (`bank-contract.md`). A code that means one thing in a rejection and another in a return is listed with both failure codes.',
    }),
  },
  { title: 'FailureCode', additionalProperties: false },
);
