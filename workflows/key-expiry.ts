import { proxyActivities } from '@temporalio/workflow';
import type { KeyExpiryActivities } from '../activities/types.ts';
import { KEY_EXPIRY } from './options.ts';

const { mailExpiringKeys } = proxyActivities<KeyExpiryActivities>(KEY_EXPIRY);

/** Tells owners of keys that are about to expire. */
export async function keyExpiry(): Promise<void> {
  await mailExpiringKeys();
}
