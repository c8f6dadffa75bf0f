import { posix } from 'node:path'
import type { FileEntryWithStats } from 'ssh2'
import type { Bytes } from '../../functions/core/backups/ports.ts'
import { broken, type Failure } from '../../functions/core/errors.ts'
import { started } from '../../functions/core/promises.ts'
import { isFailure, quietly } from './patience.ts'
import { type SftpSession, status } from './sftp-session.ts'

/**
 * Requests in flight, and bytes per request: enough for a line with high latency, and 4 MiB of
 * memory.
 */
const parallel = 16
const requestBytes = 256 * 1024 - 1024

/**
 * Writes a new file with mode 0600 and syncs it if the server supports that. Returns the number of
 * bytes.
 */
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

/**
 * Returns whether the failure was a full disk. The protocol has one code for most failures, so it
 * asks servers that support `statvfs`.
 */
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

/** Syncs the file to disk, if the server supports that. */
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

/** Replaces a file with another, atomically if the server supports that. */
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

/**
 * Yields the bytes of an open file between two offsets, and closes it. Throws if the file has
 * become shorter.
 */
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

/**
 * Returns the files below a directory at any depth, or none if it does not exist. Symbolic links
 * are not followed.
 */
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

/** Returns whether the failure means that a file or directory does not exist. */
export const isMissing = (error: unknown): boolean => isCode(error, status.missing)

const isCode = (error: unknown, code: number): boolean =>
  isFailure(error) && (error.cause as { code?: unknown } | undefined)?.code === code
