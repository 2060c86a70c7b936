/** A row of figures that are looked at first. */
export const Figures = (props: {
  readonly figures: readonly { readonly name: string; readonly value: string }[];
}) => (
  <dl class="figures">
    {props.figures.map(({ name, value }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
