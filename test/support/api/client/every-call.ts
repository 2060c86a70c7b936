import type { Causeway, OperationId } from 'causeway/client';

interface Call {
  /** As `payments.create`. */
  readonly method: string;
  /** Calls it with every parameter that it has; those of the path are `of <name>/`. */
  readonly call: (causeway: Causeway) => Promise<unknown>;
}

const of = (name: string) => `of ${name}/`;
const PAGE = { limit: 5, cursor: 'sample' };
const SPAN = { createdAfter: new Date(0), createdBefore: '2026-11-23T12:00:00Z' };
const CHANGE = { ifVersion: 7 };
const PAYMENT = { endUserId: 'eu_sample', bankAccountId: 'ba_sample', amount: '10.00' };

/** One call of each operation, with everything that it takes. */
export const CALLS: Readonly<Record<OperationId, Call>> = {
  createPayment: {
    method: 'payments.create',
    call: (causeway) => causeway.payments.create(PAYMENT),
  },
  validatePayment: {
    method: 'payments.validate',
    call: (causeway) => causeway.payments.validate(PAYMENT),
  },
  getPayment: {
    method: 'payments.get',
    call: (causeway) => causeway.payments.get(of('paymentId')),
  },
  listPayments: {
    method: 'payments.list',
    call: (causeway) =>
      causeway.payments
        .list({
          ...{ ...PAGE, ...SPAN, status: 'COMPLETED', endUserId: 'eu_sample' },
          ...{ bankAccountId: 'ba_sample', walletId: 'wal_sample' },
          ...{ externalId: 'sample', idempotencyKey: 'sample' },
        })
        .page(),
  },
  getPaymentTimeline: {
    method: 'payments.timeline',
    call: (causeway) => causeway.payments.timeline(of('paymentId'), PAGE).page(),
  },
  cancelPayment: {
    method: 'payments.cancel',
    call: (causeway) => causeway.payments.cancel(of('paymentId'), CHANGE),
  },
  closeIdempotencyKey: {
    method: 'idempotencyKeys.close',
    call: (causeway) => causeway.idempotencyKeys.close({ idempotencyKey: 'sample' }),
  },
  createPaymentBatch: {
    method: 'paymentBatches.create',
    call: (causeway) =>
      causeway.paymentBatches.create({ items: [{ ...PAYMENT, idempotencyKey: 'sample' }] }),
  },
  getPaymentBatch: {
    method: 'paymentBatches.get',
    call: (causeway) => causeway.paymentBatches.get(of('paymentBatchId')),
  },
  listPaymentBatches: {
    method: 'paymentBatches.list',
    call: (causeway) => causeway.paymentBatches.list({ ...PAGE, status: 'COMPLETED' }).page(),
  },
  listPaymentBatchItems: {
    method: 'paymentBatches.listItems',
    call: (causeway) =>
      causeway.paymentBatches
        .listItems(of('paymentBatchId'), { ...PAGE, status: 'REFUSED' })
        .page(),
  },
  createQuote: {
    method: 'quotes.create',
    call: (causeway) => causeway.quotes.create({ sourceAmount: '10.00', lockFor: '1m' }),
  },
  getQuote: { method: 'quotes.get', call: (causeway) => causeway.quotes.get(of('quoteId')) },
  listQuotes: {
    method: 'quotes.list',
    call: (causeway) => causeway.quotes.list({ ...PAGE, status: 'ACTIVE' }).page(),
  },
  listFxRates: {
    method: 'fxRates.list',
    call: (causeway) => causeway.fxRates.list({ base: 'USD', quote: 'EUR', at: new Date(0) }),
  },
  createEndUser: {
    method: 'endUsers.create',
    call: (causeway) => causeway.endUsers.create({ type: 'INDIVIDUAL' }),
  },
  getEndUser: {
    method: 'endUsers.get',
    call: (causeway) => causeway.endUsers.get(of('endUserId')),
  },
  listEndUsers: {
    method: 'endUsers.list',
    call: (causeway) =>
      causeway.endUsers
        .list({
          ...{ ...PAGE, ...SPAN, type: 'INDIVIDUAL', relationship: 'CLIENT' },
          ...{ externalId: 'sample', status: 'ACTIVE', kycStatus: 'APPROVED' },
        })
        .page(),
  },
  updateEndUser: {
    method: 'endUsers.update',
    call: (causeway) => causeway.endUsers.update(of('endUserId'), { email: null }, CHANGE),
  },
  closeEndUser: {
    method: 'endUsers.close',
    call: (causeway) => causeway.endUsers.close(of('endUserId'), CHANGE),
  },
  eraseEndUser: {
    method: 'endUsers.erase',
    call: (causeway) => causeway.endUsers.erase(of('endUserId'), CHANGE),
  },
  startKyc: { method: 'kyc.start', call: (causeway) => causeway.kyc.start(of('endUserId'), {}) },
  getKyc: { method: 'kyc.get', call: (causeway) => causeway.kyc.get(of('endUserId')) },
  createBankAccount: {
    method: 'bankAccounts.create',
    call: (causeway) =>
      causeway.bankAccounts.create({
        ...{ endUserId: 'eu_sample', country: 'DE', currency: 'EUR' },
        ...{ holderName: 'Ada Sample', holderType: 'INDIVIDUAL', details: {} },
      }),
  },
  getBankAccount: {
    method: 'bankAccounts.get',
    call: (causeway) => causeway.bankAccounts.get(of('bankAccountId')),
  },
  listBankAccounts: {
    method: 'bankAccounts.list',
    call: (causeway) =>
      causeway.bankAccounts
        .list({
          ...{ ...PAGE, endUserId: 'eu_sample', status: 'ACTIVE' },
          ...{ country: 'DE', currency: 'EUR', rail: 'SEPA' },
        })
        .page(),
  },
  disableBankAccount: {
    method: 'bankAccounts.disable',
    call: (causeway) => causeway.bankAccounts.disable(of('bankAccountId'), CHANGE),
  },
  listBankAccountRequirements: {
    method: 'bankAccountRequirements.list',
    call: (causeway) =>
      causeway.bankAccountRequirements
        .list({ ...PAGE, country: 'DE', currency: 'EUR', rail: 'SEPA', holderType: 'INDIVIDUAL' })
        .page(),
  },
  createWallet: {
    method: 'wallets.create',
    call: (causeway) =>
      causeway.wallets.create({ network: 'BASE', address: '0x', ownership: 'SELF_HOSTED' }),
  },
  getWallet: { method: 'wallets.get', call: (causeway) => causeway.wallets.get(of('walletId')) },
  listWallets: {
    method: 'wallets.list',
    call: (causeway) =>
      causeway.wallets
        .list({ ...PAGE, endUserId: 'eu_sample', status: 'ACTIVE', network: 'BASE' })
        .page(),
  },
  verifyWallet: {
    method: 'wallets.verify',
    call: (causeway) => causeway.wallets.verify(of('walletId'), { signature: '0x' }, CHANGE),
  },
  disableWallet: {
    method: 'wallets.disable',
    call: (causeway) => causeway.wallets.disable(of('walletId'), CHANGE),
  },
  createDepositAddress: {
    method: 'depositAddresses.create',
    call: (causeway) => causeway.depositAddresses.create({ endUserId: 'eu_sample' }),
  },
  getDepositAddress: {
    method: 'depositAddresses.get',
    call: (causeway) => causeway.depositAddresses.get(of('depositAddressId')),
  },
  listDepositAddresses: {
    method: 'depositAddresses.list',
    call: (causeway) =>
      causeway.depositAddresses.list({ ...PAGE, endUserId: 'eu_sample', status: 'ACTIVE' }).page(),
  },
  disableDepositAddress: {
    method: 'depositAddresses.disable',
    call: (causeway) => causeway.depositAddresses.disable(of('depositAddressId'), CHANGE),
  },
  getDeposit: {
    method: 'deposits.get',
    call: (causeway) => causeway.deposits.get(of('depositId')),
  },
  listDeposits: {
    method: 'deposits.list',
    call: (causeway) =>
      causeway.deposits
        .list({
          ...{ ...PAGE, ...SPAN, endUserId: 'eu_sample', paymentId: 'pay_sample' },
          ...{ depositAddressId: 'da_sample', network: 'BASE', asset: 'USDC', status: 'FINAL' },
        })
        .page(),
  },
  refundDeposit: {
    method: 'deposits.refund',
    call: (causeway) => causeway.deposits.refund(of('depositId'), { walletId: 'wal_sample' }),
  },
  listBalances: {
    method: 'balances.list',
    call: (causeway) => causeway.balances.list(PAGE).page(),
  },
  listBalanceTransactions: {
    method: 'balanceTransactions.list',
    call: (causeway) =>
      causeway.balanceTransactions
        .list({
          ...{ ...PAGE, ...SPAN, currency: 'EUR', balance: 'AVAILABLE' },
          ...{ type: 'PAYMENT', paymentId: 'pay_sample' },
        })
        .page(),
  },
  getBalanceTransaction: {
    method: 'balanceTransactions.get',
    call: (causeway) => causeway.balanceTransactions.get(of('balanceTransactionId')),
  },
  listBalanceStatements: {
    method: 'balanceStatements.list',
    call: (causeway) =>
      causeway.balanceStatements
        .list({ ...PAGE, currency: 'EUR', from: '2026-11-01', to: '2026-11-02' })
        .page(),
  },
  getBalanceStatement: {
    method: 'balanceStatements.get',
    call: (causeway) =>
      causeway.balanceStatements.get(of('currency'), of('date'), { format: 'csv' }),
  },
  listFundingInstructions: {
    method: 'fundingInstructions.list',
    call: (causeway) => causeway.fundingInstructions.list({ ...PAGE, currency: 'EUR' }).page(),
  },
  getEvent: { method: 'events.get', call: (causeway) => causeway.events.get(of('eventId')) },
  listEvents: {
    method: 'events.list',
    call: (causeway) =>
      causeway.events
        .list({
          ...{ ...PAGE, ...SPAN, type: 'payment.*' },
          ...{ resourceType: 'payment', resourceId: 'pay_sample' },
        })
        .page(),
  },
  redeliverEvent: {
    method: 'events.redeliver',
    call: (causeway) => causeway.events.redeliver(of('eventId')),
  },
  createWebhookEndpoint: {
    method: 'webhookEndpoints.create',
    call: (causeway) => causeway.webhookEndpoints.create({ url: 'https://hooks.example.com/' }),
  },
  getWebhookEndpoint: {
    method: 'webhookEndpoints.get',
    call: (causeway) => causeway.webhookEndpoints.get(of('webhookEndpointId')),
  },
  listWebhookEndpoints: {
    method: 'webhookEndpoints.list',
    call: (causeway) => causeway.webhookEndpoints.list(PAGE).page(),
  },
  updateWebhookEndpoint: {
    method: 'webhookEndpoints.update',
    call: (causeway) =>
      causeway.webhookEndpoints.update(of('webhookEndpointId'), { types: ['ping'] }, CHANGE),
  },
  deleteWebhookEndpoint: {
    method: 'webhookEndpoints.delete',
    call: (causeway) => causeway.webhookEndpoints.delete(of('webhookEndpointId'), CHANGE),
  },
  rotateWebhookSecret: {
    method: 'webhookEndpoints.rotateSecret',
    call: (causeway) =>
      causeway.webhookEndpoints.rotateSecret(of('webhookEndpointId'), undefined, CHANGE),
  },
  testWebhookEndpoint: {
    method: 'webhookEndpoints.test',
    call: (causeway) => causeway.webhookEndpoints.test(of('webhookEndpointId')),
  },
  listWebhookDeliveries: {
    method: 'webhookEndpoints.listDeliveries',
    call: (causeway) =>
      causeway.webhookEndpoints
        .listDeliveries(of('webhookEndpointId'), {
          ...{ ...PAGE, status: 'DELIVERED', resourceId: 'pay_sample' },
        })
        .page(),
  },
  getWebhookDelivery: {
    method: 'webhookEndpoints.getDelivery',
    call: (causeway) =>
      causeway.webhookEndpoints.getDelivery(of('webhookEndpointId'), of('eventId')),
  },
  replayWebhooks: {
    method: 'webhookEndpoints.replay',
    call: (causeway) =>
      causeway.webhookEndpoints.replay(of('webhookEndpointId'), {
        from: '2026-11-22T12:00:00Z',
        to: '2026-11-23T12:00:00Z',
      }),
  },
  listWebhookReplays: {
    method: 'webhookEndpoints.listReplays',
    call: (causeway) => causeway.webhookEndpoints.listReplays(of('webhookEndpointId'), PAGE).page(),
  },
  getWebhookReplay: {
    method: 'webhookEndpoints.getReplay',
    call: (causeway) =>
      causeway.webhookEndpoints.getReplay(of('webhookEndpointId'), of('webhookReplayId')),
  },
  getWebhookKeys: {
    method: 'webhookEndpoints.getKeys',
    call: (causeway) => causeway.webhookEndpoints.getKeys(of('webhookEndpointId')),
  },
  createSandboxDeposit: {
    method: 'sandbox.createDeposit',
    call: (causeway) =>
      causeway.sandbox.createDeposit({ currency: 'EUR', amount: '10.00', reference: 'sample' }),
  },
  createSandboxTokenDeposit: {
    method: 'sandbox.createTokenDeposit',
    call: (causeway) =>
      causeway.sandbox.createTokenDeposit({
        ...{ address: '0x', network: 'BASE', asset: 'USDC', amount: '10.00' },
      }),
  },
  decideSandboxKyc: {
    method: 'sandbox.decideKyc',
    call: (causeway) => causeway.sandbox.decideKyc(of('endUserId'), { state: 'APPROVED' }),
  },
  advanceSandboxPayment: {
    method: 'sandbox.advancePayment',
    call: (causeway) => causeway.sandbox.advancePayment(of('paymentId'), { to: 'COMPLETED' }),
  },
  createSandboxFault: {
    method: 'sandbox.createFault',
    call: (causeway) => causeway.sandbox.createFault({ fault: 'UNDECIDED', count: 1 }),
  },
  advanceSandboxClock: {
    method: 'sandbox.advanceClock',
    call: (causeway) => causeway.sandbox.advanceClock({ advance: 'PT1S' }),
  },
  getSandboxClock: {
    method: 'sandbox.getClock',
    call: (causeway) => causeway.sandbox.getClock(),
  },
  listSandboxFaults: {
    method: 'sandbox.listFaults',
    call: (causeway) => causeway.sandbox.listFaults(PAGE).page(),
  },
  listCorridors: {
    method: 'corridors.list',
    call: (causeway) =>
      causeway.corridors
        .list({ ...PAGE, country: 'DE', currency: 'EUR', rail: 'SEPA', status: 'ACTIVE' })
        .page(),
  },
  listNetworks: {
    method: 'networks.list',
    call: (causeway) => causeway.networks.list(PAGE).page(),
  },
  listErrors: { method: 'errors.list', call: (causeway) => causeway.errors.list(PAGE).page() },
  listFailureCodes: {
    method: 'failureCodes.list',
    call: (causeway) => causeway.failureCodes.list(PAGE).page(),
  },
  getHealth: { method: 'service.health', call: (causeway) => causeway.service.health() },
  getReady: { method: 'service.ready', call: (causeway) => causeway.service.ready() },
  getOpenApi: { method: 'service.openApi', call: (causeway) => causeway.service.openApi() },
};
