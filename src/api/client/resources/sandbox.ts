import type { KeyedOptions, RequestOptions } from '../call-options.ts';
import type {
  NewSandboxAdvance,
  NewSandboxClockAdvance,
  NewSandboxDeposit,
  NewSandboxFault,
  NewSandboxKyc,
  NewSandboxTokenDeposit,
  SandboxAdvance,
  SandboxClock,
  SandboxDeposit,
  SandboxFault,
  SandboxKyc,
  SandboxTokenDeposit,
} from '../generated/schemas.ts';
import type { List } from '../list.ts';
import type { Query } from '../operation-types.ts';
import { Resource } from './resource.ts';

/** `causeway.sandbox`: what only a test key can make happen. */
export class Sandbox extends Resource {
  /** Money arrives at the bank. */
  createDeposit(deposit: NewSandboxDeposit, options?: KeyedOptions): Promise<SandboxDeposit> {
    return this.api.send('createSandboxDeposit', { body: deposit }, options);
  }

  /** Tokens arrive at an address. */
  createTokenDeposit(
    deposit: NewSandboxTokenDeposit,
    options?: KeyedOptions,
  ): Promise<SandboxTokenDeposit> {
    return this.api.send('createSandboxTokenDeposit', { body: deposit }, options);
  }

  /** The KYC provider decides the newest check of an end-user. */
  decideKyc(endUserId: string, kyc: NewSandboxKyc, options?: KeyedOptions): Promise<SandboxKyc> {
    return this.api.send('decideSandboxKyc', { path: { endUserId }, body: kyc }, options);
  }

  /** The bank goes on with a payment. */
  advancePayment(
    paymentId: string,
    advance: NewSandboxAdvance,
    options?: KeyedOptions,
  ): Promise<SandboxAdvance> {
    return this.api.send('advanceSandboxPayment', { path: { paymentId }, body: advance }, options);
  }

  /** The next payments to banks meet a fault. */
  createFault(fault: NewSandboxFault, options?: KeyedOptions): Promise<SandboxFault> {
    return this.api.send('createSandboxFault', { body: fault }, options);
  }

  /** What payments are still to meet, in that order. */
  listFaults(filters?: Query<'listSandboxFaults'>, options?: RequestOptions): List<SandboxFault> {
    return this.api.list('listSandboxFaults', { query: filters }, options);
  }

  /** What waits for a time waits that much less. Forward only. */
  advanceClock(advance: NewSandboxClockAdvance, options?: KeyedOptions): Promise<SandboxClock> {
    return this.api.send('advanceSandboxClock', { body: advance }, options);
  }

  /** How far the clock was moved. */
  getClock(options?: RequestOptions): Promise<SandboxClock> {
    return this.api.send('getSandboxClock', {}, options);
  }
}
