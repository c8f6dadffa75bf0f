import type { FilePlace } from '../../functions/core/engine/archives.ts'
import { broken, invalid } from '../../functions/core/errors.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import { waitResult } from './answer-shapes.ts'
import type { EngineClient } from './client.ts'
import { removeHelper } from './helper-container.ts'
import { helperOf } from './place-archives.ts'
import { clearProgram } from './unlink.ts'

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
  if (paths.length > listBytesMax) throw invalid('there are too many files to delete them')
  const { Arch } = await client.json<{ Arch: string }>({ method: 'GET', path: '/version' })
  const program = clearProgram(Arch)
  if (!program) throw broken(`Files cannot be deleted on a host with a ${Arch} processor`)
  const id = await helperOf(client, place, owner, 'write', {
    ...{ Entrypoint: ['/clear'], Cmd: ['/paths'], WorkingDir: '/' },
  })
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
    const { StatusCode } = await client.json({ ...call, path: `${own}/wait`, shape: waitResult })
    if (StatusCode !== 0) throw broken(`Deleting files ended with ${StatusCode}`)
  } finally {
    await removeHelper(client, id)
  }
}
