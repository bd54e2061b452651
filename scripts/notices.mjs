/**
 * The licences of what is bundled: dist/THIRD-PARTY-NOTICES.txt, made anew with every build from what esbuild put into it. The
 * published package has no dependency to install, so the notices that its parts ask for travel with it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/**
 * The text of the notices.
 *
 * @param inputs paths from `root`, as in esbuild's metafile
 * @returns one part a package and version, by name; throws where a package names no licence
 */
export function notices(root, inputs) {
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== null));
  const parts = [...folders].map((folder) => notice(path.join(root, folder)));
  parts.sort((a, b) => (a.title < b.title ? -1 : 1));
  const unique = parts.filter(({ title }, index) => parts[index - 1]?.title !== title);
  return [
    'gopher-mcp contains parts of the following packages.\n',
    ...unique.map(({ title, text }) => `${'-'.repeat(80)}\n${title}\n\n${text}\n`),
  ].join('\n');
}

/** `node_modules/a/node_modules/@b/c/x.js` -> `node_modules/a/node_modules/@b/c`. */
function packageFolder(input) {
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input.replaceAll('\\', '/'));
  return found ? found[1] : null;
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} names no licence`);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => LICENCE_FILE.test(file)) : [];
  const texts = files
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  return { title: `${name} ${version} (${license})`, text: texts.join('\n\n') || `Licensed under ${license}.` };
}
