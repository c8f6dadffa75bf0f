import { internalError, invalid } from '../../../functions/core/errors.ts'
import type { FilePlace } from '../../../functions/core/records/host-engine.ts'
import type { HelperConfig } from '../helper-containers/helper-container.ts'
import { enginePlatform } from '../inspect/platform.ts'
import { clearProgram } from '../programs/programs.ts'
import type { EngineClient } from '../transport/client.ts'
import { helperOf } from './place-archives.ts'
import { runProgram } from './run-program.ts'

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
  const list = Buffer.concat([paths, Buffer.alloc(1)])
  const clear = {
    name: 'clear',
    content: program,
    arguments: ['/paths'],
    file: { path: 'paths', content: list },
    what: 'Deleting files',
  }
  await runProgram(client, clear, { create, signal, deadline: null }, async () => {})
}
