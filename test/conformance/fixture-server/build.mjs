/** Bundles the server as scripts/bundle.mjs does, with the suite's fixtures in place of its own tools, resources and prompts. */
import path from 'node:path';
import { build } from '../../../scripts/bundle.mjs';

const FACTORY = path.join(import.meta.dirname, 'server-factory.ts');

/**
 * @param root of the repository
 * @param outdir folder to make, which must lie where the project's packages are found
 * @returns the file to run
 */
export async function buildFixtureServer(root, outdir) {
  await build(root, { outdir, plugins: [fixturesInPlaceOfProduct] });
  return path.join(outdir, 'main.js');
}

const fixturesInPlaceOfProduct = {
  name: 'fixtures-in-place-of-product',
  setup(bundler) {
    bundler.onResolve({ filter: /(^|\/)server-factory\.js$/ }, ({ importer }) =>
      // The fixtures themselves stand on the product's factory.
      importer === FACTORY ? undefined : { path: FACTORY },
    );
  },
};
