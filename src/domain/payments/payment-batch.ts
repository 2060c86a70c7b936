/** COMPLETED: every item is judged. */
export const BATCH_STATUSES = ['PROCESSING', 'COMPLETED'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** ACCEPTED: it is a payment. REFUSED: it is none, and its key is free. */
export const BATCH_ITEM_STATES = ['PENDING', 'ACCEPTED', 'REFUSED'] as const;
export type BatchItemState = (typeof BATCH_ITEM_STATES)[number];

export const BATCH_ITEMS_MAX = 1_000;

/** Batches of a customer that may be PROCESSING at once, in each environment. */
export const UNFINISHED_BATCHES_MAX = 20;
