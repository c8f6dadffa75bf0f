import { brotliCompressSync, gzipSync } from 'node:zlib'
import { closureOf, outputOf } from './bundle.mjs'

/** @typedef {Awaited<ReturnType<typeof import('./bundle.mjs').bundleWeb>>} Bundle */
/** @typedef {{ gzip: number, brotli: number }} Size */

/**
 * Returns the bytes of output files as they are sent.
 *
 * @param {Bundle} bundle
 * @param {Iterable<string>} paths
 * @returns {Size}
 */
export function sizeOf({ files }, paths) {
  const size = { gzip: 0, brotli: 0 }
  const wanted = [...paths]
  for (const { path, contents } of files) {
    if (!wanted.some((one) => path.endsWith(`/${one}`))) continue
    size.gzip += gzipSync(contents, { level: 9 }).length
    size.brotli += brotliCompressSync(contents).length
  }
  return size
}

/**
 * Returns the files that the first screen loads.
 *
 * @param {Bundle} bundle
 */
export const firstScreenOf = ({ outputs }) => closureOf(outputs, outputOf(outputs, 'web/main.tsx'))

/**
 * Returns what each lazy module loads beyond the first screen, with the source files in it.
 *
 * @param {Bundle} bundle
 */
export function lazyParts(bundle) {
  const { outputs } = bundle
  const first = firstScreenOf(bundle)
  return Object.values(outputs).flatMap(({ entryPoint: entry = '' }) => {
    if (!/^web\/.*\.tsx?$/.test(entry) || entry === 'web/main.tsx') return []
    const own = [...closureOf(outputs, outputOf(outputs, entry))].filter((path) => !first.has(path))
    const inputs = own.flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}))
    return [{ entry, inputs, ...sizeOf(bundle, own) }]
  })
}
