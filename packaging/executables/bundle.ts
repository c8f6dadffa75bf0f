import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A program as one script, and the files of which it was made. */
export interface Bundle {
  script: string
  inputs: string[]
}

/**
 * Returns a program as one CommonJS script that needs nothing but Node.js.
 *
 * @param main its main file, from the top of the project
 */
export async function bundleProgram(main: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [main],
    bundle: true,
    write: false,
    metafile: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    // An executable loads modules of Node.js with `require` alone.
    supported: { 'dynamic-import': false },
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
  })
  return { script: outputFiles[0]?.text ?? '', inputs: Object.keys(metafile.inputs) }
}
