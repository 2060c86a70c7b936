/** The way from one list of a page to all of them. */
export const AllSections = (props: { readonly href: string; readonly show: string | undefined }) =>
  props.show === undefined ? null : (
    <p>
      <a href={props.href}>Show all lists of this page</a>
    </p>
  );
