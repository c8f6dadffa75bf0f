import { posix } from 'node:path'
import type { FileEntryWithStats } from 'ssh2'
import { type Failure, internalError } from '../../functions/core/errors.ts'
import { ignoreError } from '../../functions/core/ignore-error.ts'
import type { Bytes } from '../../functions/core/ports/backup-targets.ts'
import { markHandled } from '../../functions/core/promises.ts'
import { type SftpSession, status } from './sftp-session.ts'
import { bestEffort, isFailure } from './target-calls.ts'

/** Requests in flight and bytes per request. Together 4 MiB, enough for a high-latency link. */
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
  const pending = new Set<Promise<void>>()
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
        pending.add(work)
        work.finally(() => pending.delete(work))
        if (pending.size >= parallel) await Promise.race(pending)
        if (failed) throw failed.error
      }
      bytes += whole.length
    }
    signal.throwIfAborted()
    await Promise.all(pending)
    if (failed) throw (failed as { error: unknown }).error
    await sync({ sftp, ask }, handle, signal)
    return bytes
  } catch (error) {
    if (await isFull({ sftp, ask }, path, error)) {
      throw internalError(`${where} is full`, {
        reason: 'disk-full',
        cause: (error as Failure).cause,
      })
    }
    throw error
  } finally {
    await bestEffort(() => ask<void>((done) => sftp.close(handle, done)))
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
  } catch (cause) {
    ignoreError('read the free space of a backup target')(cause)
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
    if (!isSupported(() => sftp.ext_openssh_fsync(handle, done))) done(undefined)
  }, signal)
}

/** Calls an extension of the protocol. Returns false if the server does not have it. */
function isSupported(call: () => void): boolean {
  try {
    call()
    return true
  } catch (error) {
    // The client throws this without a code, before it sends anything.
    const { message } = error as Error
    if (message !== 'Server does not support this extended request') throw error
    return false
  }
}

/** Replaces a file with another, atomically if the server supports that. */
export async function replaceFile({ sftp, ask }: SftpSession, from: string, to: string) {
  let known = true
  await ask<void>((done) => {
    known = isSupported(() => sftp.ext_openssh_rename(from, to, done))
    if (!known) done(undefined)
  })
  if (known) return
  await bestEffort(() => ask<void>((done) => sftp.unlink(to, done)))
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
      if (!read)
        throw internalError(`${where}: a file shrank while it was read`, { reason: 'conflict' })
      used += read
    }
    return piece
  }
  const pending: Promise<Buffer>[] = []
  try {
    for (let at = start; at < size; at += requestBytes) {
      pending.push(markHandled(readAt(at, Math.min(requestBytes, size - at))))
      const oldest = pending.length >= parallel ? pending.shift() : undefined
      if (oldest) yield await oldest
    }
    for (const work of pending) yield await work
  } finally {
    await bestEffort(() => ask<void>((done) => sftp.close(handle, done)))
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
