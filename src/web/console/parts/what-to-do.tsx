import type { ActEntry } from '../../../modules/operations/acts/operator-act.ts';
import { rolesWith } from '../../../domain/customers/access/rights.ts';
import type { OperatorRight } from '../../../domain/customers/access/operator-rights.ts';
import type { Operator } from '../../../domain/customers/access/person.ts';
import { Card } from '../../kit/parts/card.tsx';
import { hrefOf } from '../acts/act-href.ts';
import { hasRight } from './act-links.tsx';

/** One thing that an operator can do: a form of the console, or a step elsewhere. */
export interface Step {
  readonly title: string;
  /** What it does, and when not to do it. */
  readonly about: string;
  /** Null: it is done outside of the console. */
  readonly href: string | null;
  readonly right: OperatorRight;
}

/** An act of the registry about one subject. `why`: why it is right here, before what it does. */
export const stepOf = (
  act: Pick<ActEntry, 'name' | 'page' | 'title' | 'summary' | 'right' | 'decidedBy'>,
  id: string,
  why = '',
): Step => ({
  title: act.title,
  about: [
    why,
    act.summary,
    act.decidedBy === 'TWO' ? 'Nothing changes until another operator approves it.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' '),
  href: hrefOf(act, id),
  right: act.right,
});

/** A step that is done outside of the console. */
export const stepOutside = (title: string, about: string): Step => ({
  ...{ title, about, href: null, right: 'see' },
});

/**
 * What an operator can do, the recommended step first and marked. Of the other steps each role sees its own. Nothing
 * where there is no step.
 */
export const WhatToDo = (props: {
  readonly operator: Operator;
  readonly recommended: Step | null;
  readonly others: readonly Step[];
}) => {
  const { operator, recommended } = props;
  const others = props.others.filter(({ right }) => hasRight(operator, right));
  if (recommended === null && others.length === 0) return null;
  return (
    <Card title="What you can do">
      <ul class="act-list">
        {recommended === null ? null : (
          <li class="act-recommended">
            <p>
              <strong>Recommended: {recommended.title}</strong>
            </p>
            <p>{recommended.about}</p>
            <StepLink step={recommended} operator={operator} isRecommended />
          </li>
        )}
        {others.map((step) => (
          <li key={step.title}>
            <p>{step.about}</p>
            <StepLink step={step} operator={operator} />
          </li>
        ))}
      </ul>
    </Card>
  );
};

const StepLink = (props: {
  readonly step: Step;
  readonly operator: Operator;
  readonly isRecommended?: boolean;
}) => {
  const { href, title, right } = props.step;
  if (href === null) return null;
  if (!hasRight(props.operator, right)) {
    const roles = (rolesWith('console', right) ?? []).map((role) => role.toLowerCase());
    return (
      <p class="muted">{`Your role cannot do this. Ask an operator with the role ${roles.join(' or ')}.`}</p>
    );
  }
  return (
    <a class={props.isRecommended === true ? 'button' : 'button button-plain'} href={href}>
      {title}
    </a>
  );
};
