import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/**
 * What Temporal's list can be searched by. Opaque ids and states only. They are set when a workflow
 * starts and change only when a human is needed; `migrate` registers them.
 */
export const CUSTOMER = defineSearchAttributeKey('CausewayCustomer', SearchAttributeType.KEYWORD);
export const ENVIRONMENT = defineSearchAttributeKey(
  'CausewayEnvironment',
  SearchAttributeType.KEYWORD,
);
export const PAYMENT = defineSearchAttributeKey('CausewayPayment', SearchAttributeType.KEYWORD);
/** `HUMAN` while an operator must look, else `NONE`. */
export const ATTENTION = defineSearchAttributeKey('CausewayAttention', SearchAttributeType.KEYWORD);

export const SEARCH_ATTRIBUTES = [CUSTOMER, ENVIRONMENT, PAYMENT, ATTENTION] as const;
