import { closeSync, openSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode } from '../../functions/core/errors.ts'

/** Writes a file until the disk of a directory is full. Returns the path of the file. */
export function fillDisk(directory: string): string {
  const ballast = join(directory, 'ballast')
  const file = openSync(ballast, 'a')
  try {
    for (const size of [1024 * 1024, 4096]) writeUntilFull(file, Buffer.alloc(size, 1))
  } finally {
    closeSync(file)
  }
  const { bavail } = statfsSync(directory)
  if (bavail !== 0) throw new Error(`the disk of ${directory} still has ${bavail} blocks`)
  return ballast
}

function writeUntilFull(file: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(file, chunk)
  } catch (error) {
    if (!hasCode(error, 'ENOSPC')) throw error
  }
}
