import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the share of a second that strangers have together is whole again. */
export const untilStrangersMayAsk = (): Promise<void> => sleep(1_100);
