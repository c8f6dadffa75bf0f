import { posix } from 'node:path'
import type { ImageBuild } from '../../../functions/compose/step.ts'
import { unprocessable } from '../../../functions/core/errors.ts'
import { archive, unpacked } from '../files/archive.ts'
import type { Helper, Helpers } from '../helper-containers/helper.ts'
import { isMissing } from '../responses/errors.ts'
import type { EngineClient } from '../transport/client.ts'

/** A Dockerfile outside the context, and the ignore file next to it. */
export interface GivenDockerfile {
  text: string
  ignore: string | undefined
}

/** Returns the Dockerfile's path in the context, or undefined if it is outside or inline. */
export function pathInContext({ context, dockerfile, inline }: ImageBuild): string | undefined {
  if (inline !== undefined) return undefined
  const path = posix.relative(context, dockerfile)
  return path === '..' || path.startsWith('../') ? undefined : path
}

/**
 * Returns the Dockerfile of a build if it is outside the context, otherwise undefined.
 *
 * @throws 422 if it does not exist
 */
export async function dockerfileOutside(
  client: EngineClient,
  helpers: Helpers,
  build: ImageBuild,
): Promise<GivenDockerfile | undefined> {
  if (build.inline !== undefined) return { text: build.inline, ignore: undefined }
  if (pathInContext(build) !== undefined) return undefined
  const { dir, base } = posix.parse(build.dockerfile)
  const found = await helpers.lend(dir, 'read', async (helper) => {
    const [text, ignore] = await Promise.all([
      readText(client, helper, base),
      readText(client, helper, `${base}.dockerignore`),
    ])
    return text === undefined ? undefined : { text, ignore }
  })
  if (!found) throw noDockerfile(build)
  return found
}

/** Bytes. The longest Dockerfile or ignore file. */
const textBytesMax = 1024 * 1024

const tooLong = (path: string) =>
  unprocessable(`${JSON.stringify(path)} in the build context is longer than 1 MiB`)

/** Returns the text of a file in the helper's directory, or undefined; see `readBytes`. */
export async function readText(
  client: EngineClient,
  helper: Helper,
  path: string,
): Promise<string | undefined> {
  const content = await readBytes(client, helper, path)
  if (content && content.length > textBytesMax) throw tooLong(path)
  return content?.toString('utf8')
}

/**
 * Returns the content of a file in the helper's directory, at most one byte more than
 * `fileBytesMax`, or undefined. Follows symbolic links that stay in the directory.
 */
export async function readBytes(
  client: EngineClient,
  helper: Helper,
  path: string,
  linksLeft = 8,
): Promise<Buffer | undefined> {
  try {
    for await (const entry of unpacked(await archive(client, helper, path), () => true)) {
      if (entry.type === 'file') return entry.content
      const target = posix.join(posix.dirname(path), entry.linkname)
      const leaves = posix.isAbsolute(entry.linkname) || target.startsWith('../')
      if (entry.type !== 'symlink' || leaves || linksLeft === 0) return undefined
      return await readBytes(client, helper, target, linksLeft - 1)
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  return undefined
}

/** Returns whether the helper's path is a directory of the host. */
export async function isDirectory(client: EngineClient, helper: Helper): Promise<boolean> {
  try {
    for await (const { type } of unpacked(await archive(client, helper, ''), () => false)) {
      return type === 'directory'
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  return false
}

/** Returns the 422 for a missing context. */
export const noContext = ({ context }: ImageBuild) =>
  unprocessable(`the build context ${context} is not a directory on the host`)

/** Returns the 422 for a missing Dockerfile. */
export const noDockerfile = ({ dockerfile }: ImageBuild) =>
  unprocessable(`there is no file ${dockerfile} on the host`)
