import type { FastifyRequest } from 'fastify';
import type { UseForm } from '../../modules/customers/access/ask-for-code.ts';
import type { Person } from '../../domain/customers/access/person.ts';
import type { SentForm } from '../kit/web-deps.ts';

/** The form of a POST, which every one has. */
export function formOf({ sentForm }: FastifyRequest): SentForm & { readonly use: UseForm } {
  if (sentForm === null) throw new Error('a POST has its form');
  return sentForm;
}

/** Who is logged in. Throws on a page that is public. */
export function personOf({ person }: FastifyRequest): Person {
  if (person === null) throw new Error('this page has no person');
  return person;
}
