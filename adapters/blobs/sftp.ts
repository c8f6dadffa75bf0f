import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import type { Stats } from 'ssh2'
import { checkName } from '../../functions/core/backups/contents/object-names.ts'
import { notFound, unusable } from '../../functions/core/errors.ts'
import type { OpenTarget } from '../../functions/core/ports/backup-targets.ts'
import type { SftpTarget } from '../../functions/core/records/backup-target.ts'
import type { Dialer } from '../net/outbound.ts'
import { byName, parentsOf, partialName } from './names.ts'
import { filesBelow, isMissing, readFile, replaceFile, writeFile } from './sftp-files.ts'
import { connectSftp } from './sftp-session.ts'
import { bestEffort, forEachConcurrently, idleMilliseconds } from './target-calls.ts'

/**
 * Opens a directory of an SSH server as a target. An object is written to a partial file, synced to
 * the server's disk and renamed.
 */
export async function openSftp(
  target: SftpTarget,
  dialer: Dialer,
  { idle = idleMilliseconds, signal }: { idle?: number; signal?: AbortSignal } = {},
): Promise<OpenTarget> {
  const problem = dialer.refusal(target.host, target.port)
  if (problem) throw unusable(`The SFTP server ${target.host}:${target.port}: ${problem}`)
  const session = await connectSftp(target, dialer, { idle, signal })
  const { sftp, ask, where } = session
  const base = target.path === '' ? '.' : target.path
  const pathOf = (name: string) => posix.join(base, name)

  async function makeDirectory(path: string, stop?: AbortSignal): Promise<void> {
    // Many servers answer with a general failure if the directory exists.
    await ask<void>((done) => sftp.mkdir(path, { mode: 0o700 }, done), stop).catch(
      async (error) => {
        await ask((done) => sftp.stat(path, done), stop).catch(() => {
          throw error
        })
      },
    )
  }

  async function makeParents(name: string, stop?: AbortSignal): Promise<void> {
    const missing: string[] = []
    for (const directory of [...parentsOf([name]).map(pathOf), ...ancestorsOf(base)]) {
      const found = await ask((done) => sftp.stat(directory, done), stop).catch((error) => {
        if (!isMissing(error)) throw error
      })
      if (found) break
      missing.unshift(directory)
    }
    for (const directory of missing) await makeDirectory(directory, stop)
  }

  async function removeParents(names: readonly string[]): Promise<void> {
    for (const directory of parentsOf(names)) {
      await bestEffort(() => ask<void>((done) => sftp.rmdir(pathOf(directory), done)))
    }
  }

  const removeFile = (path: string, stop?: AbortSignal) =>
    ask<void>((done) => sftp.unlink(path, done), stop).catch((error) => {
      if (!isMissing(error)) throw error
    })

  return {
    async put(name, content, stop) {
      checkName(name)
      stop.throwIfAborted()
      const partial = pathOf(partialName(name, randomBytes(6).toString('hex')))
      await makeParents(name, stop)
      try {
        const bytes = await writeFile(session, partial, content, stop)
        await replaceFile(session, partial, pathOf(name))
        return { bytes }
      } catch (error) {
        await bestEffort(() => removeFile(partial))
        await bestEffort(() => removeParents([name]))
        throw error
      }
    },
    async get(name, { offset = 0, signal: stop } = {}) {
      checkName(name)
      const path = pathOf(name)
      const handle = await ask<Buffer>((done) => sftp.open(path, 'r', done), stop).catch(
        (error) => {
          throw isMissing(error) ? notFound(`${where} has no ${name}`) : error
        },
      )
      const known = await ask<Stats>((done) => sftp.fstat(handle, done), stop)
      if (known.isFile()) return readFile(session, handle, { from: offset, to: known.size }, stop)
      await bestEffort(() => ask<void>((done) => sftp.close(handle, done)))
      throw notFound(`${where} has no ${name}`)
    },
    async list(directory, stop) {
      checkName(directory)
      return (await filesBelow(session, base, directory, stop)).sort(byName)
    },
    async remove(names, stop) {
      for (const name of names) checkName(name)
      await forEachConcurrently(names, (name) => removeFile(pathOf(name), stop))
      await removeParents(names)
    },
    async close() {
      session.end()
    },
  }
}

/** Returns a path and its parents, deepest first. */
function ancestorsOf(path: string): string[] {
  const found: string[] = []
  for (let at = path; at !== '.' && at !== '/'; at = posix.dirname(at)) found.push(at)
  return found
}
