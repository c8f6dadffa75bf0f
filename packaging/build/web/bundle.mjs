// Bundles the browser UI into dist/web: one page, and assets with the hash of their content in
// their name.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as esbuild } from 'esbuild'
import packageFile from '../../../package.json' with { type: 'json' }
import { commitOf } from '../commit.mjs'
import { composeSchema } from './compose-schema.mjs'
import { compressAll } from './compress.mjs'
import { iconAddress, iconEntries, manifestFile, pageIcons } from './home-screen.mjs'
import { oneFirstFile } from './one-first-file.mjs'
import { adoptStyles } from './styles.mjs'
import { mendXterm } from './xterm.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const entry = 'web/main.tsx'

/** @satisfies {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome123', 'firefox128', 'safari17.5'],
  minify: true,
  metafile: true,
  write: false,
  outdir: 'dist/web/assets',
  publicPath: '/assets',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  legalComments: 'linked',
  logLevel: 'warning',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.woff2': 'file', '.svg': 'copy', '.png': 'copy' },
  tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', jsxImportSource: 'preact' } },
}

/**
 * Bundles the workers, then the page that starts them. `WORKERS` is the address of each by its
 * name: esbuild does not follow `new Worker(url)`.
 *
 * @param {Record<string, string>} workers entry files by name
 */
export async function bundleWeb(workers = {}) {
  const first = await esbuild({
    ...common,
    entryPoints: { theme: 'web/frame/before-page.ts', ...workers },
    splitting: false,
    define: { COMPOSE_SCHEMA: JSON.stringify(await composeSchema()) },
  })
  const addresses = Object.fromEntries(
    Object.entries(first.metafile.outputs)
      .filter(([, { entryPoint }]) => entryPoint)
      .map(([path, { entryPoint }]) => [nameOf(entryPoint, workers), `/assets/${basename(path)}`]),
  )
  const page = await esbuild({
    ...common,
    entryPoints: { main: entry, style: 'web/styles/main.css', ...iconEntries },
    splitting: true,
    define: {
      WORKERS: JSON.stringify(addresses),
      PAGE_BUILD: JSON.stringify({ version: packageFile.version, commit: commitOf() }),
    },
    plugins: [adoptStyles, mendXterm, oneFirstFile(root + entry)],
  })
  const manifest = manifestFile(page.metafile.outputs)
  const manifestPath = `${root}${common.outdir}/${manifest.name}`
  return {
    files: [
      ...first.outputFiles,
      ...page.outputFiles,
      { path: manifestPath, contents: manifest.contents },
    ],
    manifest: `${common.publicPath}/${manifest.name}`,
    outputs: page.metafile.outputs,
    workers: addresses,
    workerOutputs: first.metafile.outputs,
  }
}

/** @type {(entryPoint: string | undefined, workers: Record<string, string>) => string} */
const nameOf = (entryPoint, workers) =>
  Object.keys(workers).find((name) => workers[name] === entryPoint) ?? 'theme'

/**
 * The entries of web workers by name.
 *
 * @type {Record<string, string>}
 */
export const workers = {
  compose: 'web/parts/editor/compose-worker.ts',
  'log-search': 'web/screens/logs/search-worker.ts',
}

/** Writes dist/web: `index.html`, and everything else compressed in `assets/`. */
export async function buildWeb() {
  const bundle = await bundleWeb(workers)
  await mkdir(`${root}dist/web/assets`, { recursive: true })
  await compressAll(bundle.files)
  const page = fillPage(await readFile(`${root}web/index.html`, 'utf8'), bundle)
  await writeFile(`${root}dist/web/index.html`, page)
}

/** @typedef {import('esbuild').Metafile['outputs']} Outputs */

/**
 * Returns the files that an output loads before it runs, itself included.
 *
 * @param {Outputs} outputs
 * @param {string} path
 * @returns {Set<string>}
 */
export function closureOf(outputs, path, seen = new Set()) {
  seen.add(path)
  for (const { path: next, kind } of outputs[path]?.imports ?? []) {
    if (kind === 'import-statement' && !seen.has(next)) closureOf(outputs, next, seen)
  }
  return seen
}

/**
 * Returns the output of a source file that is an entry or imported lazily.
 *
 * @param {Outputs} outputs
 * @param {string} source
 */
export function outputOf(outputs, source) {
  const found = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source)
  if (!found) throw new Error(`${source} is not an entry of the bundle`)
  return found
}

/**
 * Returns the page with the addresses of its files.
 *
 * @param {string} html
 * @param {Awaited<ReturnType<typeof bundleWeb>>} bundle
 */
export function fillPage(html, { outputs, workers, manifest }) {
  const address = (/** @type {string} */ path) => `/assets/${basename(path)}`
  const main = outputOf(outputs, entry)
  const font = Object.keys(outputs).find((path) => /inter-latin-wght[^/]*woff2$/.test(path))
  if (!font) throw new Error('the bundle has no font')
  const preloads = [...closureOf(outputs, main)]
    .filter((path) => path !== main)
    .map((path) => `<link rel="modulepreload" href="${address(path)}">`)
  /** @type {Record<string, string>} */
  const values = {
    ...Object.fromEntries(
      Object.entries(pageIcons).map(([name, file]) => [name, iconAddress(outputs, file)]),
    ),
    MANIFEST: manifest,
    THEME: workers.theme ?? '',
    STYLE: address(outputOf(outputs, 'web/styles/main.css')),
    FONT: address(font),
    MAIN: address(main),
    PRELOADS: preloads.join('\n    '),
  }
  return html.replace(/\{([A-Z]+)\}/g, (all, name) => values[name] ?? all)
}
