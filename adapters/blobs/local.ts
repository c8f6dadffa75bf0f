import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { checkName } from '../../functions/core/backups/contents/object-names.ts'
import { type Failure, internalError, notFound } from '../../functions/core/errors.ts'
import type { Bytes, OpenTarget } from '../../functions/core/ports/backup-targets.ts'
import { ignoreResult } from '../../functions/core/promises.ts'
import { byName, parentsOf, partialName } from './names.ts'
import {
  bestEffort,
  IdleTimeoutError,
  idleMilliseconds,
  isFailure,
  withIdleTimeout,
} from './target-calls.ts'

/**
 * Opens a directory of this machine as a target. Directories are created with mode 0700 and files
 * with 0600. An object is written to a partial file, synced and renamed. Symbolic links below the
 * directory are neither followed nor listed.
 */
export async function openLocal(
  root: string,
  { make = false, idle = idleMilliseconds }: { make?: boolean; idle?: number } = {},
): Promise<OpenTarget> {
  const where = `The directory ${root}`
  let lost: unknown
  const within = async <T>(work: Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      // After one timeout, for example on a network file system whose server is gone, later calls
      // fail at once.
      if (lost) {
        ignoreResult(work)
        throw lost
      }
      return await withIdleTimeout(work, { where, idle, signal })
    } catch (error) {
      if (error instanceof IdleTimeoutError) lost ??= error
      throw asFailure(error, where)
    }
  }
  if (make) await within(mkdir(root, { recursive: true, mode: 0o700 }))
  const real = await within(realpath(root))
  if (!(await within(stat(real))).isDirectory())
    throw internalError(`${where} is not a directory`, { reason: 'conflict' })

  /** Returns the path of a name. Throws if a symbolic link is on the way to it. */
  async function pathOf(name: string): Promise<string> {
    const path = join(real, name)
    if ((await realpath(dirname(path))) !== dirname(path))
      throw internalError(`${where}: a symbolic link leads elsewhere`, { reason: 'conflict' })
    return path
  }

  async function makeParents(name: string): Promise<void> {
    for (const directory of parentsOf([name]).reverse()) {
      const path = join(real, directory)
      await mkdir(path, { mode: 0o700 }).catch((error) => {
        if (error.code !== 'EEXIST') throw error
      })
    }
  }

  /** Removes the empty parent directories. */
  async function removeParents(names: readonly string[]): Promise<void> {
    for (const directory of parentsOf(names)) await bestEffort(() => rmdir(join(real, directory)))
  }

  async function write(file: FileHandle, content: Bytes, signal: AbortSignal): Promise<number> {
    let bytes = 0
    for await (const chunk of content) {
      signal.throwIfAborted()
      for (let at = 0; at < chunk.length; ) {
        const { bytesWritten } = await within(file.write(chunk, at), signal)
        at += bytesWritten
      }
      bytes += chunk.length
    }
    signal.throwIfAborted()
    await within(file.sync(), signal)
    return bytes
  }

  async function listBelow(directory: string, found: { name: string; bytes: number }[]) {
    for (const entry of await readdir(join(real, directory), { withFileTypes: true })) {
      const name = `${directory}/${entry.name}`
      if (entry.isDirectory()) await listBelow(name, found)
      if (!entry.isFile()) continue
      // The file may be renamed or removed meanwhile.
      const known = await stat(join(real, name)).catch(ignoreMissing)
      if (known) found.push({ name, bytes: known.size })
    }
  }

  return {
    async put(name, content, signal) {
      checkName(name)
      signal.throwIfAborted()
      const partial = partialName(name, randomBytes(6).toString('hex'))
      await within(makeParents(name), signal)
      const path = await within(pathOf(partial), signal)
      try {
        const file = await within(open(path, 'wx', 0o600), signal)
        let bytes: number
        try {
          bytes = await write(file, content, signal)
        } finally {
          await bestEffort(() => within(file.close()))
        }
        await within(rename(path, join(real, name)), signal)
        await within(syncDirectory(dirname(path)), signal)
        return { bytes }
      } catch (error) {
        await bestEffort(() => within(rm(path, { force: true })))
        await bestEffort(() => within(removeParents([name])))
        throw error
      }
    },
    async get(name, { offset = 0, signal } = {}) {
      checkName(name)
      const path = await within(pathOf(name), signal).catch((error) => missing(error, name))
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW
      const file = await within(open(path, flags), signal).catch((error) => missing(error, name))
      if (!(await within(file.stat(), signal)).isFile()) {
        await file.close()
        throw notFound(`${where} has no ${name}`)
      }
      return read(file, offset, (work) => within(work, signal))
    },
    async list(directory, signal) {
      checkName(directory)
      const found: { name: string; bytes: number }[] = []
      const work = pathOf(`${directory}/x`).then(() => listBelow(directory, found))
      await within(work.catch(ignoreMissing), signal)
      return found.sort(byName)
    },
    async remove(names, signal) {
      for (const name of names) checkName(name)
      for (const name of names) {
        const gone = async () => rm(await pathOf(name), { force: true })
        await within(gone().catch(ignoreMissing), signal)
      }
      await within(removeParents(names), signal)
    },
    async close() {},
  }

  function missing(error: unknown, name: string): never {
    const cause = isFailure(error) ? error.cause : error
    if ((cause as NodeJS.ErrnoException)?.code !== 'ENOENT') throw error
    throw notFound(`${where} has no ${name}`)
  }
}

const pieceBytes = 256 * 1024

async function* read(
  file: FileHandle,
  offset: number,
  within: <T>(work: Promise<T>) => Promise<T>,
): AsyncGenerator<Buffer, void, void> {
  try {
    for (let at = offset; ; ) {
      const piece = Buffer.allocUnsafeSlow(pieceBytes)
      const { bytesRead } = await within(file.read(piece, 0, pieceBytes, at))
      if (bytesRead === 0) return
      at += bytesRead
      yield piece.subarray(0, bytesRead)
    }
  } finally {
    await bestEffort(() => file.close())
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

const ignoreMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
  return undefined
}

const problems: Record<string, string> = {
  ENOSPC: 'is full',
  EDQUOT: 'is full: its quota is used up',
  EFBIG: 'does not accept a file of this size',
  EROFS: 'cannot be written: its file system is read-only',
  EACCES: 'is not accessible to the service',
  EPERM: 'is not accessible to the service',
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a directory',
  ELOOP: 'has a symbolic link where a file or directory is expected',
}

/**
 * Returns a failure with a readable message for an error of a system call; other errors are
 * returned unchanged.
 */
function asFailure(error: unknown, where: string): Failure | unknown {
  const code = (error as NodeJS.ErrnoException)?.code
  if (isFailure(error) || !code || !(error as NodeJS.ErrnoException).syscall) return error
  const problem = problems[code] ?? `failed (${code})`
  return internalError(`${where.replaceAll(sep + sep, sep)} ${problem}`, { cause: error })
}
