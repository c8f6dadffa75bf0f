import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'

/** The top of the project, with a slash. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Where the downloads of this checkout are kept between runs. */
export const cache = `${root}node_modules/.cache/packaging`

/** Where the downloads that all checkouts of a user share are kept. */
export const userCache = `${homedir()}/.cache/container-stacks`

/** @type {{ version: string, description: string, license: string }} */
export const project = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

/** @type {{ reads: number, writes: number }} */
export const storeFormat = JSON.parse(
  readFileSync(`${root}functions/core/store-format.json`, 'utf8'),
)

/** The machine lacks something that a package is made with. */
export class MissingTool extends Error {}

/**
 * Runs a program that packages something. Ends the process with 3 if this machine lacks what it
 * needs, and with 1 for another failure.
 *
 * @param {() => Promise<void>} work
 */
export async function run(work) {
  try {
    await work()
  } catch (error) {
    console.error(error instanceof MissingTool ? error.message : error)
    process.exit(error instanceof MissingTool ? 3 : 1)
  }
}
