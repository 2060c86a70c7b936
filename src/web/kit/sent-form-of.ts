import type { FastifyRequest } from 'fastify';
import type { SentForm } from './web-deps.ts';

/** The form of a POST, which has been read and found to be ours. Throws on any other route. */
export function sentFormOf({ sentForm }: FastifyRequest): SentForm {
  if (sentForm === null) throw new Error('a POST has its form');
  return sentForm;
}
