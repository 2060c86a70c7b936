/** A customer by name, its id small beside it. */
export const CustomerLink = (props: { readonly id: string; readonly name: string | undefined }) =>
  props.name === undefined ? (
    <a href={`/customers/${props.id}`}>{props.id}</a>
  ) : (
    <>
      <a href={`/customers/${props.id}`}>{props.name}</a>{' '}
      <code class="code-beside">{props.id}</code>
    </>
  );

/** A customer's name where a table has no room for the id. */
export const customerName = (names: ReadonlyMap<string, string>, id: string): string =>
  names.get(id) ?? id;
