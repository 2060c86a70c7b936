import type { Operator } from '../../../domain/customers/access/person.ts';
import type { OperatorRight } from '../../../domain/customers/access/operator-rights.ts';
import { rolesWith } from '../../../domain/customers/access/rights.ts';

export interface ActLink {
  readonly href: string;
  readonly text: string;
  readonly right: OperatorRight;
}

export const hasRight = ({ role, isConfirmed }: Operator, right: OperatorRight): boolean =>
  (isConfirmed || right.startsWith('write-own-')) &&
  (rolesWith('console', right) ?? []).includes(role);

/** What an operator can do here: the ways to its forms, of which each role sees its own. */
export const ActLinks = (props: {
  readonly operator: Operator;
  readonly links: readonly ActLink[];
}) => {
  const links = props.links.filter(({ right }) => hasRight(props.operator, right));
  return links.length === 0 ? null : (
    <div class="acts">
      {links.map(({ href, text }) => (
        <a key={href} class="button button-plain" href={href}>
          {text}
        </a>
      ))}
    </div>
  );
};
