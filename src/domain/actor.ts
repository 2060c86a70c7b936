import { assertNever } from './assert-never.ts';

/** A part of the engine that acts without a person: what made it change something. */
type SystemPart =
  | 'settlement'
  | 'bank-answer'
  | 'bank-enquiry'
  | 'bank-callback'
  | 'bank-statement'
  | 'chain'
  | 'reconciliation'
  | 'kyc-provider'
  | 'screening'
  | 'finality'
  | 'sweep'
  | 'login'
  | 'engine';

/**
 * Who did something: handed on from the request, command or report to history and audit log. Code
 * decides by its fields; the text is for those who read history, never for the engine itself.
 */
export type Actor =
  | { readonly kind: 'API_KEY'; readonly id: string }
  | { readonly kind: 'USER'; readonly id: string }
  | { readonly kind: 'OPERATOR'; readonly name: string }
  | { readonly kind: 'SYSTEM'; readonly part: SystemPart };

/** The engine itself as the actor, by the part of it that acts. */
export function systemActor(part: SystemPart): Actor {
  return { kind: 'SYSTEM', part };
}

/** What history and audit log store: `api-key:key_...`, `user:usr_...`, `operator:ada`, `system:settlement`. */
export function actorText(actor: Actor): string {
  switch (actor.kind) {
    case 'API_KEY':
      return `api-key:${actor.id}`;
    case 'USER':
      return `user:${actor.id}`;
    case 'OPERATOR':
      return `operator:${actor.name}`;
    case 'SYSTEM':
      return `system:${actor.part}`;
    default:
      return assertNever(actor);
  }
}
