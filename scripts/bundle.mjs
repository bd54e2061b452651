/**
 * Makes dist/: what runs is one bundled file set, split so that a transport loads only its own code.
 *
 *   dist/main.js    CommonJS launcher (src/bin/launcher.cts): Node version gate and thread pool size, before anything is loaded
 *   dist/app.mjs    the program (src/bin/main.ts); chunks beside it
 *
 * Start-up time is module evaluation and little else, so the bundle is lean: whole packages that are known to have no side
 * effects are shaken, and code that no path of ours reaches is replaced by the stubs in scripts/stubs/.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { notices } from './notices.mjs';

/** Everything that the result depends on. */
const INPUTS = [
  'src',
  'scripts/bundle.mjs',
  'scripts/notices.mjs',
  'scripts/stubs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** Names the inputs that dist/ was built from; not part of the package. */
const STAMP = 'inputs.sha256';

/** Optional peers that Nest, Fastify and pino look for at run time and do without. */
const EXTERNAL = [
  '@nestjs/microservices',
  '@nestjs/microservices/*',
  '@nestjs/websockets',
  '@nestjs/websockets/*',
  '@nestjs/platform-express',
  '@nestjs/platform-express/*',
  '@fastify/view',
  '@fastify/static',
  '@fastify/multipart',
  'pino-pretty',
];

/** CommonJS dependencies inside an ES module bundle still call these. */
const BANNER = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  "import { dirname as __pathDirname } from 'node:path';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __fileURLToPath(import.meta.url);',
  'const __dirname = __pathDirname(__filename);',
].join('\n');

/**
 * Builds dist/ anew.
 *
 * @param outdir another folder to make
 * @param plugins for esbuild, before those of this file; the conformance suite needs a server with fixtures
 */
export async function build(root, { outdir = path.join(root, 'dist'), plugins = [] } = {}) {
  const { build: bundle, stop } = await import('esbuild');
  rmSync(outdir, { recursive: true, force: true });
  const common = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    logLevel: 'warning',
  };
  const { metafile } = await bundle({
    ...common,
    entryPoints: { app: 'src/bin/main.ts' },
    format: 'esm',
    splitting: true,
    chunkNames: 'chunk-[hash]',
    outExtension: { '.js': '.mjs' },
    banner: { js: BANNER },
    external: EXTERNAL,
    plugins: [...plugins, leanPackages(root)],
    metafile: true,
  });
  const launcher = await bundle({
    ...common,
    metafile: true,
    entryPoints: { main: 'src/bin/launcher.cts' },
    format: 'cjs',
    banner: { js: '#!/usr/bin/env node' },
    plugins: [programBesideLauncher()],
  });
  mkdirSync(outdir, { recursive: true });
  // The package is ESM; the launcher and nothing else in dist/ ends in .js.
  writeFileSync(path.join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
  chmodSync(path.join(outdir, 'main.js'), 0o755);
  const outputs = [metafile, launcher.metafile].flatMap((made) => Object.values(made.outputs));
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs));
  writeFileSync(path.join(outdir, 'THIRD-PARTY-NOTICES.txt'), notices(root, inputs));
  writeFileSync(path.join(outdir, STAMP), `${digestInputs(root)}\n`);
  // `npm start` goes on as the server, and esbuild's own process would stay beside it.
  await stop();
  return metafile;
}

/** Builds when dist/ is absent or was built from other inputs. */
export async function ensureBuilt(root) {
  if (isBuilt(root)) return;
  process.stderr.write('gopher-mcp: building dist/\n');
  await build(root);
}

function isBuilt(root) {
  const stamp = path.join(root, 'dist', STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === digestInputs(root);
}

/** By content: a checkout changes times without changing anything, and a deleted file changes no time at all. */
function digestInputs(root) {
  const hash = createHash('sha256');
  for (const input of INPUTS) {
    for (const file of listFiles(path.join(root, input))) {
      hash
        .update(`${path.relative(root, file).replaceAll('\\', '/')}\0`)
        .update(readFileSync(file))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

function listFiles(start) {
  if (!existsSync(start)) return [];
  try {
    return readdirSync(start, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    if (error.code === 'ENOTDIR') return [start];
    throw error;
  }
}

/** In the sources the launcher imports its neighbour main.js; in dist/ that is app.mjs. */
function programBesideLauncher() {
  return {
    name: 'program-beside-launcher',
    setup(build) {
      build.onResolve({ filter: /^\.\/main\.js$/ }, () => ({ path: './app.mjs', external: true }));
    },
  };
}

/** See the head of this file. Each replacement says what it saves. */
function leanPackages(root) {
  const file = (...parts) => path.join(root, ...parts);
  const replacements = [
    // rxjs resolves to CommonJS under the condition `node`: 390 KB that cannot be shaken, instead of 38.
    [/^rxjs$/, file('node_modules/rxjs/dist/esm/index.js')],
    [/^rxjs\/operators$/, file('node_modules/rxjs/dist/esm/operators/index.js')],
    // The CommonJS builds of these two hide from tree shaking which decorators are used.
    [/^class-validator$/, file('node_modules/class-validator/esm2015/index.js')],
    [/^class-transformer$/, file('node_modules/class-transformer/esm2015/index.js')],
    // 290 KB of phone number metadata, behind a decorator that is not used here.
    [/^libphonenumber-js\/max$/, file('scripts/stubs/libphonenumber.mjs')],
    // The SDK's default JSON Schema validator is ajv, 130 KB; the server is given its own.
    [/^@modelcontextprotocol\/server\/_shims$/, file('scripts/stubs/mcp-shims.mjs')],
  ];
  const packages = '(@nestjs|@modelcontextprotocol|zod|rxjs|class-validator|class-transformer|validator)';
  const sideEffectFree = new RegExp(`^${packages}(/|$)`);
  const insideSideEffectFree = new RegExp(`[\\\\/]node_modules[\\\\/]${packages}([\\\\/]|$)`);
  const resolving = Symbol('resolving');
  return {
    name: 'lean-packages',
    setup(build) {
      // Nest's pipes, which nothing here uses, load these two whole: then no decorator could be left out of the first chunk.
      build.onResolve({ filter: /^class-(validator|transformer)(\/|$)/ }, ({ path: name, importer }) =>
        /[\\/]node_modules[\\/]@nestjs[\\/]/.test(importer) ? { path: name, external: true } : undefined,
      );
      for (const [filter, target] of replacements) {
        build.onResolve({ filter }, () => ({ path: target, sideEffects: false }));
      }
      // class-validator asks for the CommonJS files of validator, one for each decorator there is: 280 KB that cannot be shaken.
      build.onResolve({ filter: /^validator\/(es\/)?lib\// }, ({ path: name }) => ({
        path: file('node_modules/validator/es/lib', `${path.basename(name, '.js')}.js`),
        sideEffects: false,
      }));
      build.onResolve({ filter: /.*/ }, async ({ path: name, pluginData, resolveDir, kind, importer, namespace }) => {
        if (pluginData === resolving) return undefined;
        if (!sideEffectFree.test(name) && !insideSideEffectFree.test(resolveDir)) return undefined;
        const resolved = await build.resolve(name, { resolveDir, kind, importer, namespace, pluginData: resolving });
        if (resolved.errors.length > 0 || resolved.external) return resolved;
        // The one package among theirs that is imported for what it does.
        if (/[\\/]reflect-metadata[\\/]/.test(resolved.path)) return resolved;
        return { path: resolved.path, namespace: resolved.namespace, sideEffects: false };
      });
    },
  };
}
