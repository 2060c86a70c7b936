import { Card } from '../../kit/parts/card.tsx';
import { CodeBlock } from '../../kit/parts/code-block.tsx';

interface CurlCardProps {
  /** Without `/api/v1`. */
  readonly apiUrl: string;
  /** Behind `/api/v1`. */
  readonly path: string;
}

/** The request that answers what the page shows, to be run in a terminal. */
export const CurlCard = ({ apiUrl, path }: CurlCardProps) => (
  <Card title="The same with the API">
    <CodeBlock
      id="curl"
      text={`curl '${apiUrl}/api/v1${path}' \\\n  -H "Authorization: Bearer $CAUSEWAY_KEY"`}
    />
  </Card>
);
