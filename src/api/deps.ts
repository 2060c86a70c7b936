import type { FastifyBaseLogger } from 'fastify';
import type { TSchema } from 'typebox';
import type { NameChecks } from '../modules/parties/bank-accounts/check-holder-name.ts';
import type { Database } from '../db/client/database.ts';
import type { Actor } from '../domain/actor.ts';
import type { ListedNetworks } from '../domain/onchain/listed-networks.ts';
import type { PayFromOutside } from '../domain/onchain/token-payer.ts';
import type { CorridorTable } from '../domain/payments/corridors/corridor-table.ts';
import type { Clock } from '../domain/clock.ts';
import type { DocumentScanner } from '../domain/parties/kyc/document-scanner.ts';
import type { Permission } from '../domain/customers/keys/permissions.ts';
import type { SandboxBankControl } from '../domain/sandbox/bank-control.ts';
import type { SandboxKycControl } from '../domain/sandbox/kyc-control.ts';
import type { Scope } from '../domain/scope.ts';
import type { WorkflowClient } from '../domain/workflows/workflow-client.ts';
import type { AcceptDeps } from '../modules/payments/accept-payment.ts';
import type { LiveApprovals } from '../modules/customers/live/live-approvals.ts';
import type { Screener } from '../modules/parties/screening/screener.ts';
import type { Vault } from '../vault/vault.ts';
import type { AddressScreening } from '../modules/parties/wallets/look-up-address.ts';
import type { ContractWallets } from '../modules/parties/wallets/verify-wallet.ts';
import type { HttpSettings } from './settings.ts';

/** Work that an answer does not wait for: bounded, never throws into the request. */
export interface Background {
  /** Runs now or drops the work where too much is under way: whatever is lost, the reconciler repeats. */
  run(name: string, work: () => Promise<void>, about?: { readonly requestId: string }): void;
}

/** First starts of workflows, which give way to requests. */
export interface Starts extends Background {
  /** Runs a request at once. While many run, starts wait for some seconds at most. */
  ahead<T>(request: () => Promise<T>): Promise<T>;
}

/** Whether workflows can be started. Without our search attributes Temporal refuses every start. */
export type TemporalState =
  | {
      readonly kind: 'ok';
      /** The schedules that repeat what was lost between PostgreSQL and Temporal. */
      readonly sweep: 'ok' | 'paused' | 'missing';
    }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'search_attributes_missing' };

/** Everything that the HTTP surface is built from. */
export interface HttpDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly corridors: CorridorTable;
  readonly networks: ListedNetworks;
  readonly workflows: WorkflowClient;
  readonly starts: Starts;
  /** Wakes of workflows: apart from the starts, so that neither waits behind the other's backlog. */
  readonly wakes: Background;
  readonly settings: HttpSettings;
  readonly encoderFor: AcceptDeps['encoderFor'];
  /** Narrows live keys to what operators have signed. */
  readonly liveApprovals: LiveApprovals;
  /** Compares the names of accounts with what their banks know. */
  readonly nameChecks: NameChecks;
  /** Looks new end-users and accounts up in the sanctions list. */
  readonly screener: Pick<Screener, 'screenNew'>;
  /** Looks the addresses of wallets up; an environment without one registers none. */
  readonly addressScreening: AddressScreening;
  /** Asks the contracts that wallets may be whether a signature is theirs. */
  readonly contractWallets: ContractWallets;
  /** Looks for malware in documents for KYC; left out where no scanner is set. */
  readonly documentScanner?: DocumentScanner;
  /** Has an outside payer send tokens on the sandbox chains; left out where none run. */
  readonly payFromOutside?: PayFromOutside;
  /** Directs the sandbox bank of the test environment; left out where it has no bank. */
  readonly bankControl?: SandboxBankControl;
  /** Directs the sandbox's KYC provider of the test environment; left out where it has none. */
  readonly kycControl?: SandboxKycControl;
  /** Says whether Temporal answers; only readiness asks, and an outage does not fail it. */
  readonly temporalState: () => Promise<TemporalState>;
  /** Silent where it is left out. */
  readonly logger?: FastifyBaseLogger;
  /** Is called for a request with X-Forwarded-For that comes from no trusted proxy. */
  readonly onUntrustedProxy?: () => void;
}

/** The buckets beside the one of all requests. */
export type RatePolicy = 'payments' | 'paymentBatches';

/** What a route lets in. Keys of the API name a resource and `read` or `write`. */
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered without an API key. */
    readonly public?: boolean;
    /** The scope that the API key must hold, as `payments:write`; `any-key` where any key will do. */
    readonly permission?: Permission | 'any-key';
    /** Charged to this stricter bucket as well. */
    readonly ratePolicy?: RatePolicy;
    /** The body is files: it may be long in coming. */
    readonly takesFiles?: boolean;
    /** The route judges each of the body's `items` alone, texts that cannot be kept included. */
    readonly judgesItems?: boolean;
    /** Stands in the document for the schema that the body is checked by. */
    readonly documentedBody?: TSchema;
    /** Set by `installEntityTags`: the answer is one resource with a version. */
    readonly isVersioned?: boolean;
  }
  interface FastifyRequest {
    /** Whose request this is. Reading it on a public route is a bug and throws. */
    readonly scope: Scope;
    /** Who makes this request. Reading it on a public route throws, too. */
    readonly actor: Actor;
    /** Where the request came from, seen through the trusted proxies. IPv4-mapped counts as IPv4. */
    readonly clientAddress: string;
    /** The body with every number as it was written (`LosslessNumber`); undefined without a body. */
    readonly losslessBody: unknown;
    /** The bytes of the body as they came; undefined without a body. Signatures are over them. */
    rawBody: Buffer | undefined;
    /**
     * The text of the number or string at a JSON pointer of the body ("/amount"), digits exactly as
     * the caller wrote them; undefined where there is neither.
     */
    decimalText(pointer: string): string | undefined;
  }
}
