/** One of a few, chosen by its own button: the form is sent with it. */
export const ButtonChoice = (props: {
  readonly name: string;
  readonly choices: readonly {
    readonly value: string;
    readonly text: string;
    readonly detail?: string;
  }[];
}) => (
  <ul class="button-choices">
    {props.choices.map(({ value, text, detail }) => (
      <li key={value}>
        <button type="submit" class="button button-plain" name={props.name} value={value}>
          <span>{text}</span>
          {detail === undefined ? null : <span class="muted">{detail}</span>}
        </button>
      </li>
    ))}
  </ul>
);
