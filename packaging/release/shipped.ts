import { build } from 'esbuild'
import { bundles } from '../build/build.mjs'
import { bundleWeb, workers } from '../build/web/bundle.mjs'
import { packageOf } from './licences.ts'

/** Returns the source files of everything that is bundled: programs and browser UI. */
export async function bundledInputs(): Promise<string[]> {
  const inputs = new Set<string>()
  for (const options of bundles) {
    const { metafile } = await build({ ...options, write: false, metafile: true })
    for (const path of Object.keys(metafile?.inputs ?? {})) inputs.add(path)
  }
  const { outputs, workerOutputs } = await bundleWeb(workers)
  for (const output of [...Object.values(outputs), ...Object.values(workerOutputs)]) {
    for (const path of Object.keys(output.inputs)) inputs.add(path)
  }
  return [...inputs].sort()
}

/** Returns the names of the packages that files belong to. */
export function packageNames(inputs: readonly string[]): Set<string> {
  const folders = inputs.map(packageOf).filter((folder) => folder !== undefined)
  return new Set(folders.map((folder) => folder.slice(folder.lastIndexOf('node_modules/') + 13)))
}
