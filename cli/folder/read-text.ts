import { readFile, stat } from 'node:fs/promises'
import { failed } from '../failure.ts'
import { kindOf } from './walk.ts'

/** The service accepts no larger compose file, overlay or .env. Bytes. */
export const textBytesMax = 4 * 1024 * 1024

/**
 * Returns the text of a file that the user named or that has a usual name. Throws a `CliFailure` if
 * it cannot be read. A FIFO is read only from a descriptor of this process, as in
 * `--env-file <(…)`: another one may never have a writer.
 */
export async function readText(path: string): Promise<string> {
  const bytes = await bytesOf(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error
    throw failed(`cannot read ${path}: ${error.code === 'ENOENT' ? 'no such file' : error.code}`)
  })
  if (bytes.length > textBytesMax) throw failed(`${path} is larger than 4 MiB`)
  try {
    // A byte order mark is a part of the file: the stack keeps it, and whatever reads it knows it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw failed(`${path} is not UTF-8 text`, { cause: error })
  }
}

async function bytesOf(path: string): Promise<Buffer> {
  if (path === '/dev/null') return Buffer.alloc(0)
  const stats = await stat(path)
  const isDescriptor = /^\/(dev|proc\/self)\/fd\/\d+$/.test(path)
  if (!stats.isFile() && !(isDescriptor && stats.isFIFO())) {
    throw failed(`cannot read ${path}: it is ${kindOf(stats)}`, {
      hint: 'use `-` to read standard input',
    })
  }
  if (stats.size > textBytesMax) throw failed(`${path} is larger than 4 MiB`)
  return readFile(path)
}
