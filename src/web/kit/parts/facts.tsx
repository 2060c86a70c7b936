import type { Children } from './types.ts';

/** Names and what they are, a line each. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [string, Children])[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
