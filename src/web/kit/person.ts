import type { FastifyRequest } from 'fastify';
import type { Operator, Person, User } from '../../domain/customers/access/person.ts';

/** The user who asks. Throws on a page that is public, and in the console. */
export function userOf({ person }: FastifyRequest): User {
  if (person?.kind !== 'USER') throw new Error('this page has no user');
  return person;
}

/** The operator who asks. Throws on a page that is public, and on the dashboard. */
export function operatorOf({ person }: FastifyRequest): Operator {
  if (person?.kind !== 'OPERATOR') throw new Error('this page has no operator');
  return person;
}

/** Who is logged in. Throws on a page that is public. */
export function personOf({ person }: FastifyRequest): Person {
  if (person === null) throw new Error('this page has no person');
  return person;
}
