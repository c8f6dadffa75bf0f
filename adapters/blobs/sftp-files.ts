import { posix } from 'node:path'
import type { FileEntryWithStats } from 'ssh2'
import type { Bytes } from '../../functions/core/backups/ports.ts'
import { broken, type Failure } from '../../functions/core/errors.ts'
import { started } from '../../functions/core/promises.ts'
import { isFailure, quietly } from './patience.ts'
import { type SftpSession, status } from './sftp-session.ts'

/** Requests that are on their way at a time, and how much each carries: what a long line needs, and 4 MiB of memory. */
const parallel = 16
const requestBytes = 256 * 1024 - 1024

/** Writes a new file, 0600, and brings it to the server's disk where it can. Gives how many bytes there were. */
export async function writeFile(
  { sftp, ask, where }: SftpSession,
  path: string,
  content: Bytes,
  signal: AbortSignal,
): Promise<number> {
  const handle = await ask<Buffer>((done) => sftp.open(path, 'wx', { mode: 0o600 }, done), signal)
  const going = new Set<Promise<void>>()
  let failed: { error: unknown } | undefined
  let bytes = 0
  try {
    for await (const chunk of content) {
      signal.throwIfAborted()
      const whole = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      for (let at = 0; at < whole.length; at += requestBytes) {
        const length = Math.min(requestBytes, whole.length - at)
        const position = bytes + at
        const work = ask<number>(
          (done) => sftp.write(handle, whole, at, length, position, done),
          signal,
        ).then(
          () => {},
          (error) => {
            failed ??= { error }
          },
        )
        going.add(work)
        work.finally(() => going.delete(work))
        if (going.size >= parallel) await Promise.race(going)
        if (failed) throw failed.error
      }
      bytes += whole.length
    }
    signal.throwIfAborted()
    await Promise.all(going)
    if (failed) throw (failed as { error: unknown }).error
    await sync({ sftp, ask }, handle, signal)
    return bytes
  } catch (error) {
    if (await isFull({ sftp, ask }, path, error)) {
      throw broken(`${where} is full`, { cause: (error as Failure).cause })
    }
    throw error
  } finally {
    await quietly(() => ask<void>((done) => sftp.close(handle, done)))
  }
}

/** The protocol has one code for most failures: whether it was a full disk is asked for, of servers that tell. */
async function isFull(
  { sftp, ask }: Pick<SftpSession, 'sftp' | 'ask'>,
  path: string,
  error: unknown,
): Promise<boolean> {
  if (!isCode(error, status.failure)) return false
  try {
    const space = await ask<{ f_frsize: bigint | number; f_bavail: bigint | number }>((done) =>
      sftp.ext_openssh_statvfs(posix.dirname(path), done),
    )
    return Number(space.f_frsize) * Number(space.f_bavail) < requestBytes
  } catch {
    return false
  }
}

/** To the disk; servers that do not know how are not asked. */
async function sync(
  { sftp, ask }: Pick<SftpSession, 'sftp' | 'ask'>,
  handle: Buffer,
  signal: AbortSignal,
): Promise<void> {
  await ask<void>((done) => {
    try {
      sftp.ext_openssh_fsync(handle, done)
    } catch {
      done(undefined)
    }
  }, signal)
}

/** Puts a file in the place of another, at once where the server can. */
export async function replaceFile({ sftp, ask }: SftpSession, from: string, to: string) {
  let known = true
  await ask<void>((done) => {
    try {
      sftp.ext_openssh_rename(from, to, done)
    } catch {
      known = false
      done(undefined)
    }
  })
  if (known) return
  await quietly(() => ask<void>((done) => sftp.unlink(to, done)))
  await ask<void>((done) => sftp.rename(from, to, done))
}

/** An open file's bytes between two places. So many, or it throws. Closes it. */
export async function* readFile(
  { sftp, ask, where }: SftpSession,
  handle: Buffer,
  { from: start, to: size }: { from: number; to: number },
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  async function readAt(from: number, length: number): Promise<Buffer> {
    const piece = Buffer.allocUnsafeSlow(length)
    for (let used = 0; used < length; ) {
      const read = await ask<number>(
        (done) => sftp.read(handle, piece, used, length - used, from + used, done),
        signal,
      )
      if (!read) throw broken(`${where}: a file became shorter while it was read`)
      used += read
    }
    return piece
  }
  const going: Promise<Buffer>[] = []
  try {
    for (let at = start; at < size; at += requestBytes) {
      going.push(started(readAt(at, Math.min(requestBytes, size - at))))
      if (going.length >= parallel) yield await going.shift()!
    }
    for (const work of going) yield await work
  } finally {
    await quietly(() => ask<void>((done) => sftp.close(handle, done)))
  }
}

/** Files below a directory, at any depth; none when it is not there. Links are not followed. */
export async function filesBelow(
  session: SftpSession,
  base: string,
  directory: string,
  signal?: AbortSignal,
): Promise<{ name: string; bytes: number }[]> {
  const { sftp, ask } = session
  const path = posix.join(base, directory)
  const entries = await ask<FileEntryWithStats[]>((done) => sftp.readdir(path, done), signal).catch(
    (error) => {
      if (isMissing(error)) return []
      throw error
    },
  )
  const found: { name: string; bytes: number }[] = []
  for (const { filename, attrs } of entries) {
    if (filename === '.' || filename === '..' || filename.includes('/')) continue
    const name = `${directory}/${filename}`
    if (attrs.isDirectory()) found.push(...(await filesBelow(session, base, name, signal)))
    if (attrs.isFile()) found.push({ name, bytes: attrs.size })
  }
  return found
}

/** True of a failure that says that a file or directory is not there. */
export const isMissing = (error: unknown): boolean => isCode(error, status.missing)

const isCode = (error: unknown, code: number): boolean =>
  isFailure(error) && (error.cause as { code?: unknown } | undefined)?.code === code
