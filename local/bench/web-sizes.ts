import { bundleWeb, outputOf, workers } from '../../packaging/build/web/bundle.mjs'
import { firstScreenOf, lazyParts, sizeOf } from '../../packaging/build/web/measure.mjs'
import { table } from './numbers.ts'

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)

/** Measures the bytes that the browser UI loads, and the time to bundle it. */
export async function webSizesBench(): Promise<string> {
  const begun = performance.now()
  const bundle = await bundleWeb(workers)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const parts = [
    { entry: 'first screen: scripts', ...sizeOf(bundle, firstScreenOf(bundle)) },
    {
      entry: 'first screen: styles',
      ...sizeOf(bundle, [outputOf(bundle.outputs, 'web/styles/main.css')]),
    },
    ...lazyParts(bundle).sort((one, two) => two.gzip - one.gzip),
  ]
  const rows = parts.map(({ entry, gzip, brotli }) => [entry, kilobytes(gzip), kilobytes(brotli)])
  const text = `Bundled in ${seconds} s. Each lazy module with what it loads beyond the first screen; modules that two of them share count in both.`
  return `${text}\n\n${table(['loads', 'gzip kB', 'brotli kB'], rows)}`
}
