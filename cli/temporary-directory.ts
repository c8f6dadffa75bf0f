import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Io } from './io.ts'

/** A directory for files that may have secrets. */
export interface TemporaryDirectory {
  /** Absolute. */
  path: string
  remove(): Promise<void>
}

/**
 * Makes a directory that only this user may read. It goes with `remove`, or when a signal ends the
 * program before, such as that of Ctrl+C.
 *
 * @param prefix the beginning of its name, such as `cli-bundle-`
 */
export async function temporaryDirectory(
  prefix: string,
  io: Pick<Io, 'onEnd'>,
): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), prefix))
  const undo = io.onEnd?.(() => rmSync(path, { recursive: true, force: true }))
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true })
      undo?.()
    },
  }
}
