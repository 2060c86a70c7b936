/** Operations that a partner's key cannot bring to a success, and why. */
export const NEVER_REACHED: Readonly<Record<string, string>> = {
  receiveKycCallback: 'only what the KYC provider signs is heard',
  receiveBankCallback: 'only what the bank signs is heard',
  getBalanceStatement: 'a customer of today has no day that is over',
};

/** What needs a network, where none is listed. */
export const NEEDS_NETWORK: readonly string[] = [
  ...['createWallet', 'getWallet', 'verifyWallet', 'disableWallet'],
  ...['createDepositAddress', 'getDepositAddress', 'disableDepositAddress'],
  ...['getDeposit', 'refundDeposit', 'createSandboxTokenDeposit'],
];

/** Places of bodies that are judged after the request was taken, by operation: each says so for itself. */
export const JUDGED_LATER: Readonly<Record<string, RegExp>> = {
  createPaymentBatch: /^\/items\/\d+/,
  // It answers what is in the way.
  validatePayment: / of another customer$/,
};

/**
 * What is mostly asked for after a success: a payment wants an end-user who was checked, a refund a deposit that came.
 */
export const FOLLOWED_BY: Readonly<Record<string, string>> = {
  createEndUser: 'startKyc',
  startKyc: 'createBankAccount',
  createBankAccount: 'createPayment',
  createDepositAddress: 'createSandboxTokenDeposit',
};
