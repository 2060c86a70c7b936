import type { FastifyBaseLogger } from 'fastify';
import type { AnyTransaction } from '../../db/client/database.ts';
import type { Person } from '../../domain/customers/access/person.ts';
import type { RouteRight, Surface } from '../../domain/customers/access/rights.ts';
import type { Clock } from '../../domain/clock.ts';
import type { KeyedHashes } from '../../vault/keyed-hash.ts';
import type { FormRules } from './forms/form-rules.ts';
import type { FormTexts } from './forms/parse-form.ts';
import type { App } from './http/app-type.ts';

/** The Fastify instance that pages register on. */
export type WebApp = App;

/**
 * Who is logged in by a session's token; null where none holds. `isUse`: the person asked, and not a page
 * that refreshes itself.
 */
type FindPerson = (token: string, isUse: boolean) => Promise<Person | null>;

/** One act of one session, for which a proof is asked. */
export interface ActToProve {
  /** The path that its form is sent to, ids included. */
  readonly path: string;
  /** SHA-256 over the fields of the form, in hex. */
  readonly fieldsHash: string;
}

/** What an authenticator answered, as the browser's JSON of it, and what it was asked. */
interface PasskeyAnswer {
  readonly text: string;
  /** In base64url. */
  readonly challenge: string;
}

/** Asks for and judges the proof of one act. */
export interface Proofs {
  /** Mails a code; `act` is what the mail says is being done. False: too many were asked for. */
  mail(person: Person, toProve: ActToProve, act: string): Promise<boolean>;
  /** RIGHT is answered once a code. OVER: there is none to judge by any more. */
  judge(person: Person, toProve: ActToProve, typed: string): Promise<ProofVerdict>;
  /** What the browser is asked for one of a person's passkeys with, as JSON. */
  askForPasskey(person: Person, challenge: string): Promise<string>;
  /** Is that signed by a passkey of the person, for that challenge? */
  judgePasskey(person: Person, answer: PasskeyAnswer): Promise<boolean>;
  /** A new token of the session that an act was proven in; null where it is over. */
  renew(person: Person): Promise<string | null>;
}

export type ProofVerdict =
  | { readonly kind: 'RIGHT' | 'OVER' | 'NO_CODE' | 'NO_PASSKEY' }
  | { readonly kind: 'WRONG'; readonly triesLeft: number };

/** What dashboard or console is built from. */
export interface WebDeps {
  readonly surface: Surface;
  /** Scheme, host and port that browsers reach it under; nothing else is answered. */
  readonly origin: string;
  readonly vault: KeyedHashes;
  readonly clock: Clock;
  readonly findPerson: FindPerson;
  readonly proofs: Proofs;
  /** Proxies, as CIDR texts, whose X-Forwarded-For is believed; none where it is left out. */
  readonly trustedProxies?: readonly string[];
  /** Is called for a request with X-Forwarded-For that comes from no trusted proxy. */
  readonly onUntrustedProxy?: () => void;
  /** As plugins/stranger-limits.ts says, where it is left out. */
  readonly strangersPerSecond?: Readonly<Record<StrangerShare, number>>;
  /** Silent where it is left out. */
  readonly logger?: FastifyBaseLogger;
}

/** A form that a page of ours gave this browser, and that came back. */
export interface SentForm {
  readonly texts: FormTexts;
  readonly isUsed: boolean;
  /** The act it asks for was proven by a second step: see `proveAct`. */
  isProven: boolean;
  /** Uses it, in the transaction of what it does. Throws PageRefusal (409) where it was used before. */
  readonly use: (tx: AnyTransaction) => Promise<void>;
  /** What its page asked an authenticator to sign for `of`; null where that is more than 5 minutes ago. */
  challenge(...of: readonly string[]): string | null;
}

/** What strangers send: requests for something, codes, passkeys. A flood of one takes no room from another. */
export type StrangerShare = 'ASKS' | 'CODES' | 'PASSKEYS';

declare module 'fastify' {
  interface FastifyInstance {
    readonly proofs: Proofs;
  }
  interface FastifyContextConfig {
    /** What the route asks for. A route of dashboard or console that says nothing fails the start. */
    readonly right?: RouteRight;
    /** The fields that a POST takes. One without fields says `{}`; one that says nothing fails the start. */
    readonly form?: FormRules;
    /** It costs nothing: its requests are not limited. */
    readonly isStatic?: boolean;
    /** Which share of strangers' requests its form is counted in; ASKS where it names none. */
    readonly share?: StrangerShare;
  }
  interface FastifyRequest {
    /** Who is logged in; null on public routes. */
    person: Person | null;
    /** Would the person be let in now? For an answer that takes long, between its parts. It is no use of the session. */
    stillAdmitted(): Promise<boolean>;
    /** Of a POST, once it is known to come from a page of ours. */
    sentForm: SentForm | null;
    /** Where it came from: a /24 or /64. */
    network: string;
    /** The /48 around a /64; of IPv4 the same /24. */
    wideNetwork: string;
  }
  interface FastifyReply {
    /** A new token for a form of the page that is being made, to be posted to a path. */
    newForm(path: string): string;
    /** What shows that a device's name was made here. */
    deviceTag(device: string): string;
    /** What a page asks an authenticator to sign, with a form of its own and for `of`. */
    newChallenge(formToken: string, ...of: readonly string[]): string;
  }
}
