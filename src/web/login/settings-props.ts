import type { FastifyReply } from 'fastify';
import type { Person } from '../../domain/customers/access/person.ts';
import type { FieldProblem } from '../kit/forms/form-rules.ts';
import type { OwnSettings } from './own-settings.ts';

/** A form of the page that was refused: what it said, and why. */
export interface RefusedForm {
  /** The path that it was sent to. */
  readonly action: string;
  readonly values: Readonly<Record<string, string>>;
  readonly problems: readonly FieldProblem[];
}

export interface SettingsProps {
  readonly person: Person;
  readonly settings: OwnSettings;
  readonly reply: FastifyReply;
  /** What the browser is asked to make a passkey with, and the token that this is made of. */
  readonly creation: { readonly options: string; readonly token: string };
  readonly refused: RefusedForm | null;
}

/** What of a refused form belongs to the form of an action. */
export const refusedAt = (refused: RefusedForm | null, action: string) => ({
  problems: refused?.action === action ? refused.problems : [],
  values: refused?.action === action ? refused.values : {},
});
