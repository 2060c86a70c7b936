/** What takes long, by its name: the files that `npm run campaign -- NAME` plays at their full size. */
export const CAMPAIGNS = {
  money: {
    files: ['test/volume/payments/money.test.ts'],
    about: '10,000 random payments in 46 currencies, judged by second books',
  },
  'rate-options': {
    files: ['test/volume/payments/rate-options.test.ts'],
    about: '2,000 quoted payments of partners who know how the market will move',
  },
  kills: {
    files: ['test/volume/alone/killed-parts.test.ts'],
    about: 'API, worker, signer and servers killed while payments are under way',
  },
  batches: {
    files: ['test/volume/alone/payment-batches.test.ts'],
    about: 'a batch of 1,000 payments while API and worker are killed',
  },
  'on-ramps': {
    files: ['test/volume/onchain/on-ramps.test.ts'],
    about: '1,000 payments to wallets under reorganizations and kills',
  },
  deposits: {
    files: ['test/volume/onchain/deposits.test.ts'],
    about: '2,000 deposits under reorganizations, read from nodes that lie',
  },
  'chain-throughput': {
    files: ['test/volume/onchain/chain-throughput.test.ts'],
    about: 'transfers and deposits an hour on networks with the finality of Ethereum and Base',
  },
  dust: {
    files: ['test/volume/onchain/dust.test.ts'],
    about: '20 transfers of dust a second for an hour, to 1 and to 10,000 addresses',
  },
  'poll-cycle': {
    files: ['test/volume/onchain/poll-cycle.test.ts'],
    about: 'a poll cycle with 1,000,000 addresses given out, 10,000 of them watched',
  },
  'login-flood': {
    files: ['test/volume/processes/login-flood.test.ts'],
    about: '200 logins a second at dashboard and console from 1 and from 10,000 networks',
  },
  kyc: {
    files: ['test/volume/parties/kyc-sequences.test.ts'],
    about: '5,000 sequences of KYC decisions, shuffled, repeated and contradictory',
  },
  statements: {
    files: [
      'test/volume/reconciliation/camt053.test.ts',
      'test/volume/reconciliation/reconciliation.test.ts',
    ],
    about: 'statements of hundreds of thousands of lines in bounded memory',
  },
  'statement-lines': {
    files: ['test/volume/reconciliation/statement-lines.test.ts'],
    about: '100,000 lines of reports of the same days with 2,000 oddities, all found and ended',
  },
  webhooks: {
    files: [
      'test/volume/webhooks/webhook-kills.test.ts',
      'test/volume/webhooks/webhook-outage.test.ts',
    ],
    about: '50 kills in the middle of deliveries, and a receiver that is away for 48 hours',
  },
  fuzz: {
    files: ['test/volume/api/fuzz.test.ts'],
    about: '20,000 requests made of the API document',
  },
  'foreign-fuzzer': {
    files: ['test/volume/api/foreign-fuzzer.test.ts'],
    about: 'Schemathesis against the API for three minutes',
  },
} as const;

export type CampaignName = keyof typeof CAMPAIGNS;

export const CAMPAIGN_NAMES = Object.keys(CAMPAIGNS) as readonly CampaignName[];
