import { posix } from 'node:path'
import { internalError } from '../../../functions/core/errors.ts'
import { tarOf } from '../../../functions/core/tar/make.ts'
import { createHelper, mountPoint, removeHelper } from '../helper-containers/helper-container.ts'
import { enginePlatform } from '../inspect/platform.ts'
import { unlinkProgram } from '../programs/programs.ts'
import { waitResult } from '../responses/response-shapes.ts'
import type { EngineClient } from '../transport/client.ts'

/** Always the same file, so that processes that are killed leave at most one. */
const name = '.container-stacks-check'

/** Milliseconds for each call. */
const deadline = 15_000

/**
 * Checks that the Engine can write in a directory of its host: creates the directory if it is
 * missing, writes an empty file and deletes it. Looking is not enough: a rootless Engine sees
 * directories that it cannot write to.
 *
 * @throws 500 if it cannot, with the Engine's reason in the detail
 */
export async function checkDirectory(client: EngineClient, directory: string): Promise<void> {
  const { Arch } = await enginePlatform(client)
  // Without the program the file would stay.
  if (!unlinkProgram(Arch)) return
  const id = await createHelper(
    client,
    { Binds: [`${directory}:${mountPoint}`] },
    { Cmd: [posix.join(mountPoint, name)] },
  )
  const path = `/containers/${id}`
  try {
    await client.json({
      method: 'PUT',
      path: `${path}/archive`,
      query: { path: mountPoint },
      file: await tarOf([{ path: name, content: Buffer.alloc(0), mode: 0o600 }]),
      deadline,
    })
    await client.json({ method: 'POST', path: `${path}/start`, deadline })
    const { StatusCode } = await client.json<{ StatusCode: number }>({
      method: 'POST',
      path: `${path}/wait`,
      deadline,
      shape: waitResult,
    })
    if (StatusCode !== 0) {
      throw internalError(
        `${directory}: the Docker Engine of host ${client.host} cannot delete files there`,
        {
          reason: 'engine-failed',
        },
      )
    }
  } finally {
    await removeHelper(client, id)
  }
}
