/** WAITING: no nonce carries it. CARRIED: one does. SETTLED: mined, deep enough to be believed. The others are the end. */
export type ChainTransferState = 'WAITING' | 'CARRIED' | 'SETTLED' | 'FINAL' | 'REJECTED';
