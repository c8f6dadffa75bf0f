import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { bundles } from '../build.mjs'

/** A version of the service that does not exist yet. */
export interface FutureRelease {
  version: string
  reads: number
  writes: number
  /** Whether it has the example migration. */
  migrates: boolean
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const migration = fileURLToPath(new URL('example-migration.ts', import.meta.url))

/**
 * Builds the service and the client of this source as another version, with other formats of the
 * store. Returns the directory of the programs.
 */
export async function buildRelease(release: FutureRelease): Promise<string> {
  const directory = `${root}node_modules/.cache/releases/${process.pid}-${release.version}`
  const [main] = bundles
  await build({ ...main, outdir: directory, plugins: [facts(release), ...(main?.plugins ?? [])] })
  return directory
}

export const removeReleases = (directories: readonly string[]) =>
  Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true })))

/** Replaces what a release says about itself. */
function facts({ version, reads, writes, migrates }: FutureRelease): Plugin {
  const contents: Record<string, string> = {
    'functions/core/version.ts': `
      export const version = '${version}'
      export const commit = null
      export const storeFormat = { reads: ${reads}, writes: ${writes} }`,
    'cli/version.ts': `export const version = '${version}'`,
    'adapters/store/migrations.ts': migrates
      ? `import { exampleMigration } from '${migration}'
         export const migrations = [exampleMigration]`
      : 'export const migrations = []',
  }
  const filter = new RegExp(
    `^${root}(${Object.keys(contents).join('|')})$`.replaceAll('.', '\\.').replaceAll('-', '\\-'),
  )
  return {
    name: 'release',
    setup({ onLoad }) {
      onLoad({ filter }, ({ path }) => ({
        contents: contents[path.slice(root.length)],
        loader: 'ts',
        resolveDir: root,
      }))
    },
  }
}
