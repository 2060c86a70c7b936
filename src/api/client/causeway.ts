import { createApi } from './api.ts';
import type { CausewayOptions } from './options.ts';
import {
  Balances,
  BalanceStatements,
  BalanceTransactions,
  FundingInstructions,
} from './resources/balances.ts';
import { BankAccountRequirementsList, BankAccounts } from './resources/bank-accounts.ts';
import { DepositAddresses, Deposits } from './resources/deposits.ts';
import { EndUsers, Kyc } from './resources/end-users.ts';
import { Events } from './resources/events.ts';
import { PaymentBatches } from './resources/payment-batches.ts';
import { Payments } from './resources/payments.ts';
import { IdempotencyKeys } from './resources/idempotency-keys.ts';
import { FxRates, Quotes } from './resources/quotes.ts';
import { Corridors, Errors, FailureCodes, Networks, Service } from './resources/reference.ts';
import { Sandbox } from './resources/sandbox.ts';
import { Wallets } from './resources/wallets.ts';
import { WebhookEndpoints } from './resources/webhook-endpoints.ts';
import { readSettings } from './settings.ts';

/**
 * The API of an installation, called with one key. It keeps no state: one for a program is enough. The
 * key is in none of its members.
 */
export class Causeway {
  readonly payments: Payments;
  readonly paymentBatches: PaymentBatches;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly quotes: Quotes;
  readonly fxRates: FxRates;
  readonly endUsers: EndUsers;
  readonly kyc: Kyc;
  readonly bankAccounts: BankAccounts;
  readonly bankAccountRequirements: BankAccountRequirementsList;
  readonly wallets: Wallets;
  readonly depositAddresses: DepositAddresses;
  readonly deposits: Deposits;
  readonly balances: Balances;
  readonly balanceTransactions: BalanceTransactions;
  readonly balanceStatements: BalanceStatements;
  readonly fundingInstructions: FundingInstructions;
  readonly events: Events;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly sandbox: Sandbox;
  readonly corridors: Corridors;
  readonly networks: Networks;
  readonly errors: Errors;
  readonly failureCodes: FailureCodes;
  readonly service: Service;

  /** Sends nothing. Throws TypeError where the options cannot be right. */
  constructor(options: CausewayOptions) {
    const api = createApi(readSettings(options));
    this.payments = new Payments(api);
    this.paymentBatches = new PaymentBatches(api);
    this.idempotencyKeys = new IdempotencyKeys(api);
    this.quotes = new Quotes(api);
    this.fxRates = new FxRates(api);
    this.endUsers = new EndUsers(api);
    this.kyc = new Kyc(api);
    this.bankAccounts = new BankAccounts(api);
    this.bankAccountRequirements = new BankAccountRequirementsList(api);
    this.wallets = new Wallets(api);
    this.depositAddresses = new DepositAddresses(api);
    this.deposits = new Deposits(api);
    this.balances = new Balances(api);
    this.balanceTransactions = new BalanceTransactions(api);
    this.balanceStatements = new BalanceStatements(api);
    this.fundingInstructions = new FundingInstructions(api);
    this.events = new Events(api);
    this.webhookEndpoints = new WebhookEndpoints(api);
    this.sandbox = new Sandbox(api);
    this.corridors = new Corridors(api);
    this.networks = new Networks(api);
    this.errors = new Errors(api);
    this.failureCodes = new FailureCodes(api);
    this.service = new Service(api);
  }
}
