import { existsSync, readdirSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { serviceBundles } from '../../packaging/build/build.mjs'

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

const cache = `${root}node_modules/.cache/releases/`
/** What a release is as old as: the build whose tests use it, and what makes it different. */
const origins = [`${root}dist/service.js`, fileURLToPath(import.meta.url), migration]

/**
 * Returns the directory of the programs of another version, with other formats of the store. Builds
 * it from this source if no test has done so since the last build, and removes older ones.
 */
export async function builtRelease(release: FutureRelease): Promise<string> {
  const time = Math.max(...origins.map((path) => statSync(path).mtimeMs))
  const directory = `${cache}${time}-${release.version}`
  if (existsSync(directory)) return directory
  await removeOthers(`${time}-`)
  // A test that is killed while it builds leaves nothing that another one would use.
  const half = `${directory}.${process.pid}`
  for (const bundle of serviceBundles)
    await build({ ...bundle, outdir: half, plugins: [facts(release), ...(bundle.plugins ?? [])] })
  await rename(half, directory).catch(async (error) => {
    if (!existsSync(directory)) throw error
    await rm(half, { recursive: true })
  })
  return directory
}

async function removeOthers(current: string): Promise<void> {
  const names = existsSync(cache) ? readdirSync(cache) : []
  for (const name of names) {
    if (!name.startsWith(current)) await rm(cache + name, { recursive: true, force: true })
  }
}

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
