import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LoginDeps } from '../../modules/customers/access/ask-for-code.ts';
import type { LoginProvider } from '../../domain/customers/access/login-provider.ts';
import type { Surface } from '../../domain/customers/access/rights.ts';
import type { Children } from '../kit/parts/types.ts';

/** What the pages of logging in, and of what is a person's own, work with. */
export interface AccessPageDeps extends LoginDeps {
  readonly surface: Surface;
  /** The provider that its people can log in with; null where there is none. */
  readonly provider: LoginProvider | null;
  /** Answers with a page of a person who is logged in, in the surface's frame. */
  readonly sendOwnPage: (
    request: FastifyRequest,
    reply: FastifyReply,
    page: { readonly title: string; readonly body: Children },
  ) => unknown;
}
