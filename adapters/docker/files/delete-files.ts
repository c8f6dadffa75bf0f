import { posix } from 'node:path'
import { internalError } from '../../../functions/core/errors.ts'
import type { Helper } from '../helper-containers/helper.ts'
import { createHelper, mountPoint, removeHelper } from '../helper-containers/helper-container.ts'
import { enginePlatform } from '../inspect/platform.ts'
import { unlinkProgram } from '../programs/programs.ts'
import { waitResult } from '../responses/response-shapes.ts'
import type { EngineClient } from '../transport/client.ts'
import { archiveDeadline } from './archive.ts'
import { runClear } from './clear-place.ts'

/** Deletes files. Those that cannot be deleted stay, and so do directories. */
export async function deleteFiles(
  client: EngineClient,
  helper: Helper,
  paths: readonly string[],
): Promise<void> {
  const { Arch } = await enginePlatform(client)
  if (!unlinkProgram(Arch))
    throw internalError(`Files cannot be deleted on a host with a ${Arch} processor`, {
      reason: 'engine-failed',
    })
  for (const some of commandsOf(paths.map((path) => posix.join(helper.base, path)))) {
    await runUnlink(client, helper, some)
  }
}

/** Bytes of the arguments of a program, of which Linux accepts about two million. */
const argumentsMax = 512 * 1024

function commandsOf(paths: readonly string[]): string[][] {
  const commands: string[][] = [[]]
  let bytes = 0
  for (const path of paths) {
    bytes += Buffer.byteLength(path) + 16
    if (bytes > argumentsMax) {
      commands.push([])
      bytes = 0
    }
    commands.at(-1)?.push(path)
  }
  return commands
}

async function runUnlink(client: EngineClient, helper: Helper, paths: string[]): Promise<void> {
  const id = await createHelper(
    client,
    { Binds: [`${helper.mounted}:${mountPoint}`] },
    { Cmd: paths },
  )
  try {
    await client.json({
      method: 'POST',
      path: `/containers/${id}/start`,
      deadline: archiveDeadline,
    })
    const { StatusCode } = await client.json<{ StatusCode: number }>({
      method: 'POST',
      path: `/containers/${id}/wait`,
      deadline: archiveDeadline,
      shape: waitResult,
    })
    if (StatusCode !== 0)
      throw internalError(`Deleting files failed with exit code ${StatusCode}`, {
        reason: 'engine-failed',
      })
  } finally {
    await removeHelper(client, id)
  }
}

/** Deletes directories that are empty, in the given order. Others stay, and so do files. */
export async function deleteEmptyDirectories(
  client: EngineClient,
  mounted: string,
  paths: readonly string[],
): Promise<void> {
  // The slash at the end makes the program skip anything but a directory, links included.
  const list = paths.map((path) => `${path}/\0`).join('')
  await runClear(client, Buffer.from(list), AbortSignal.timeout(archiveDeadline), (config) =>
    createHelper(client, { Binds: [`${mounted}:${mountPoint}`] }, config),
  )
}
