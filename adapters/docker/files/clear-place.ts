import { internalError, invalid } from '../../../functions/core/errors.ts'
import type { FilePlace } from '../../../functions/core/records/host-engine.ts'
import { tarOf } from '../../../functions/core/tar/make.ts'
import { type HelperConfig, removeHelper } from '../helper-containers/helper-container.ts'
import { clearProgram } from '../programs/programs.ts'
import { waitResult } from '../responses/response-shapes.ts'
import { enginePlatform } from '../state/platform.ts'
import type { EngineClient } from '../transport/client.ts'
import { helperOf } from './place-archives.ts'

/** Bytes. More than the size that the program maps into memory. */
const listBytesMax = 1024 * 1024 * 1024 - 4096

/**
 * Deletes the named files and empty directories of a place in the given order. `paths` are as in
 * the place's archive, each with a zero byte after it. The program runs in a helper container that
 * can only access the place.
 */
export async function clearPlace(
  client: EngineClient,
  place: FilePlace,
  paths: Uint8Array,
  owner: string,
  signal: AbortSignal,
): Promise<void> {
  if (paths.length === 0) return
  if (paths.length > listBytesMax) throw invalid('there are too many files to delete')
  await runClear(client, paths, signal, (config) => helperOf(client, place, owner, 'write', config))
}

/**
 * Runs the program that deletes the named files and empty directories, in a helper container that
 * `create` makes. Paths are relative to the root of the container.
 */
export async function runClear(
  client: EngineClient,
  paths: Uint8Array,
  signal: AbortSignal,
  create: (config: HelperConfig) => Promise<string>,
): Promise<void> {
  const { Arch } = await enginePlatform(client)
  const program = clearProgram(Arch)
  if (!program)
    throw internalError(`Files cannot be deleted on a host with a ${Arch} processor`, {
      reason: 'engine-failed',
    })
  const id = await create({ Entrypoint: ['/clear'], Cmd: ['/paths'], WorkingDir: '/' })
  try {
    const list = Buffer.concat([paths, Buffer.alloc(1)])
    const file = await tarOf([
      { path: 'clear', content: program, mode: 0o755 },
      { path: 'paths', content: list, mode: 0o600 },
    ])
    const own = `/containers/${id}`
    const call = { method: 'POST', signal, deadline: null } as const
    await client.json({
      ...call,
      method: 'PUT',
      path: `${own}/archive`,
      query: { path: '/' },
      file,
    })
    await client.json({ ...call, path: `${own}/start` })
    const { StatusCode } = await client.json<{ StatusCode: number }>({
      ...call,
      path: `${own}/wait`,
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
