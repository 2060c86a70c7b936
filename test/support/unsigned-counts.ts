import type { OperatorKeys } from '../../src/domain/approvals/operator-keys.ts';

/** For tests of what decisions do, which are not about how they are signed. */
export const UNSIGNED_COUNTS: OperatorKeys = {
  ...{ version: 1, origin: 'https://console.example' },
  find: () => null,
  fileKeysOf: () => [],
  isFromBefore: () => true,
  sign: null,
};
