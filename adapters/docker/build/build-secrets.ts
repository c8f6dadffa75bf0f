import { posix } from 'node:path'
import type { BuildSecret, ImageBuild } from '../../../functions/compose/step.ts'
import { unprocessable } from '../../../functions/core/errors.ts'
import type { Helpers } from '../helper-containers/helper.ts'
import type { EngineClient } from '../transport/client.ts'
import { readBytes } from './build-files.ts'

/** Bytes. The longest secret that BuildKit accepts. */
const secretBytesMax = 500 * 1024
/** Bytes of all secrets of a build: they are in memory while it runs. */
const allBytesMax = 8 * 1024 * 1024

/**
 * Returns the contents of a build's secrets by id. Files are read on the host, one after another.
 *
 * @throws 422 if a file does not exist, or if secrets are too long
 */
export async function readSecrets(
  client: EngineClient,
  helpers: Helpers,
  { secrets }: ImageBuild,
): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>()
  let length = 0
  for (const secret of secrets) {
    const content = await contentOf(client, helpers, secret)
    const name = JSON.stringify(secret.id)
    if (content.length > secretBytesMax) throw unprocessable(`the secret ${name} is over 500 KiB`)
    length += content.length
    if (length > allBytesMax) throw unprocessable('the secrets of the build are over 8 MiB')
    contents.set(secret.id, content)
  }
  return contents
}

async function contentOf(
  client: EngineClient,
  helpers: Helpers,
  secret: BuildSecret,
): Promise<Buffer> {
  if ('content' in secret) return Buffer.from(secret.content)
  const { dir, base } = posix.parse(secret.file)
  const content = await helpers.lend(dir, 'read', (helper) => readBytes(client, helper, base))
  if (content) return content
  throw unprocessable(
    `the secret ${JSON.stringify(secret.id)} is not a file of the host: ${secret.file}`,
  )
}
