/**
 * Writes what a build contains, for programs: dist/sbom.cdx.json (CycloneDX) and dist/sbom.spdx.json (SPDX). npm lists all
 * packages; those for development only are left out, except those that the console is made of. Another folder can be named.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { shippedPackages } from './shipped-packages.mjs';

const [folder = 'dist'] = process.argv.slice(2);
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const shipped = new Set(shippedPackages().map((one) => `${one.name}@${one.version}`));
const isShipped = (one) => shipped.has(`${one.name}@${one.version ?? one.versionInfo}`);

function listOf(format) {
  const options = ['sbom', '--package-lock-only', '--sbom-type=application', `--sbom-format=${format}`];
  return JSON.parse(execFileSync('npm', options, { encoding: 'utf8', maxBuffer: 2 ** 28 }));
}

function cycloneDx() {
  const { components, dependencies, ...rest } = listOf('cyclonedx');
  const kept = components.filter(isShipped);
  const root = rest.metadata.component['bom-ref'];
  const refs = new Set([root, ...kept.map((one) => one['bom-ref'])]);
  Object.assign(rest.metadata.component, { name, version });
  const between = dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  return { ...rest, components: kept, dependencies: between };
}

function spdx() {
  const { packages, relationships, documentDescribes, ...rest } = listOf('spdx');
  const kept = packages.filter((one) => documentDescribes.includes(one.SPDXID) || isShipped(one));
  const ids = new Set([rest.SPDXID, ...kept.map((one) => one.SPDXID)]);
  const between = relationships.filter((one) => ids.has(one.spdxElementId) && ids.has(one.relatedSpdxElement));
  return { ...rest, documentDescribes, packages: kept, relationships: between };
}

mkdirSync(folder, { recursive: true });
for (const [file, list] of [
  ['sbom.cdx.json', cycloneDx()],
  ['sbom.spdx.json', spdx()],
]) {
  writeFileSync(`${folder}/${file}`, `${JSON.stringify(list, null, 2)}\n`);
  console.log(`${folder}/${file}: ${(list.components ?? list.packages).length} packages`);
}
