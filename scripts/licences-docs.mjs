/** Writes docs/licences.md from package-lock.json: `node scripts/licences-docs.mjs [--check]`. */
import { writeDocument } from './generated-document.mjs';
import { shippedPackages } from './shipped-packages.mjs';

const packages = shippedPackages();

function tableOf(part) {
  const names = new Map();
  for (const { name, licence } of packages.filter((one) => one.part === part))
    names.set(licence, new Set([...(names.get(licence) ?? []), name]));
  const rows = [...names].sort(([, one], [, other]) => other.size - one.size);
  return rows.map(([licence, of]) => `| ${licence} | ${of.size} | ${[...of].sort().join(', ')} |`).join('\n');
}

await writeDocument(
  'docs/licences.md',
  `# Licences of the packages

What a build contains, with the licence that each package names, from \`package-lock.json\`. Ready-made binaries for one kind of machine have the licence of their package. \`npm run sbom\` writes the same with versions and hashes, for programs.

## The service

| Licence | Packages | Names |
| --- | --- | --- |
${tableOf('service')}

## The console

| Licence | Packages | Names |
| --- | --- | --- |
${tableOf('console')}
`,
);
