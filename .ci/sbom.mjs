// Prints the packages that are shipped, with version and license, as CycloneDX. `npm sbom --omit dev` leaves out what a
// tool of development needs too, so the packages that only tools need are taken out here.
import { spawnSync } from 'node:child_process';

const said = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx'], {
  ...{ encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] },
});
if (said.status !== 0) process.exit(1);
const document = JSON.parse(said.stdout);
const isTool = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
document.components = document.components.filter((component) => !isTool(component));
const shipped = new Set(
  [document.metadata.component, ...document.components].map((one) => one['bom-ref']),
);
document.dependencies = document.dependencies
  .filter(({ ref }) => shipped.has(ref))
  .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => shipped.has(ref)) }));
console.log(JSON.stringify(document, null, 2));
