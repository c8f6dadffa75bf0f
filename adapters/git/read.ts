import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../functions/core/errors.ts'
import { ignoreError } from '../../functions/core/ignore-error.ts'
import { SourceFailure, type SourceTree } from '../../functions/core/ports/source-reader.ts'
import type { SourceLimits } from '../../functions/core/records/source-address.ts'
import { checkRef, type GitSource, parsePlace } from '../../functions/core/sources/git-place.ts'
import type { Dialer } from '../net/outbound.ts'
import { Copies, type Copy } from './copies.ts'
import { DamagedCopy, type Line } from './exchange.ts'
import { unwritable } from './failures.ts'
import { FetchSlots } from './fetch-slots.ts'
import { openTree } from './git-tree.ts'
import { checkInstalled } from './installed.ts'
import { findRef } from './look.ts'
import { type ExchangeLimits, Meter } from './meter.ts'
import { readCommit } from './read-commit.ts'
import { type LocalLimits, Repository } from './repository.ts'

/** Reads git repositories over https and ssh. */
export interface GitReader {
  /** Returns the commit that the reference names. @throws SourceFailure */
  look(source: GitSource, signal: AbortSignal): Promise<{ revision: string }>
  /** Opens what a commit has at some paths. @throws SourceFailure */
  open(
    source: GitSource,
    revision: string,
    { paths, limits }: { paths: readonly string[]; limits: SourceLimits },
    signal: AbortSignal,
  ): Promise<SourceTree>
}

export interface GitReaderOptions {
  dialer: Dialer
  /** For copies of repositories. All that is in it may be removed at any time. */
  directory: string
  times?: Pick<ExchangeLimits, 'firstByte' | 'total'>
}

const mebi = 1024 ** 2
/** Bytes that are received above four times of what a stack may have, and of one look. */
const received = 32 * mebi
const usualTimes = { firstByte: 60_000, total: 300_000 }
const fetchesMax = 4
const copiesMax = 16

/** Returns the reader of git repositories. It starts git, which must be installed. */
export function gitReader({ dialer, directory, times = usualTimes }: GitReaderOptions): GitReader {
  const slots = new FetchSlots(fetchesMax)
  const copies = new Copies(directory, copiesMax)
  let installed: Promise<void> | undefined
  const ensureInstalled = () => {
    installed ??= checkInstalled().catch((error) => {
      // It may be installed while the service runs.
      installed = undefined
      throw error
    })
    return installed
  }

  /** Runs work with a line to the server, as soon as the host is free. */
  async function withLine<T>(
    source: GitSource,
    bytes: number,
    signal: AbortSignal,
    work: (line: Line) => Promise<T>,
  ): Promise<T> {
    const place = parsePlace(source.url)
    const refusal = dialer.refusal(place.host, place.port)
    if (refusal) throw new SourceFailure('not-allowed', `${place.host}: ${refusal}`)
    return slots.run(place.host, async () => {
      signal.throwIfAborted()
      const meter = new Meter(place.host, { ...times, received: bytes }, signal)
      try {
        return await work({ place, source, dialer, meter })
      } finally {
        meter.close()
      }
    })
  }

  /** @param most bytes that a copy may have afterwards; a larger one is removed */
  async function withCopy<T>(
    source: GitSource,
    most: number,
    use: (copy: Copy) => Promise<T>,
  ): Promise<T> {
    const { url, account, key, hostKey, certificateAuthority } = source
    const identity = [url, account, key, hostKey, certificateAuthority]
    const copy = await copies.acquire(identity).catch(nameFullDisk)
    try {
      return await copy.lock.run(() =>
        use(copy).finally(() =>
          removeLeftovers(copy.path).catch(ignoreError('remove a part of a pack')),
        ),
      )
    } catch (error) {
      const isDamaged = error instanceof DamagedCopy
      await copy.release(!isDamaged && !(await isLarge(copy.path, most)))
      if (!isDamaged) return nameFullDisk(error)
      // A copy that an earlier call left half-written says nothing of the repository.
      if (copy.isNew) throw error.failure
      return withCopy(source, most, use)
    }
  }

  return {
    async look(source, signal) {
      checkRef(source.ref)
      parsePlace(source.url)
      await ensureInstalled()
      // Nothing is added to the copy.
      return withCopy(source, Number.POSITIVE_INFINITY, async (copy) => {
        const limits = { file: received, time: times.total }
        const repository = await opened(copy, limits, signal)
        const revision = await withLine(source, received, signal, (line) =>
          findRef(line, repository),
        )
        await copy.release(true)
        return { revision }
      })
    },
    async open(source, revision, { paths, limits }, signal) {
      checkRef(source.ref)
      parsePlace(source.url)
      await ensureInstalled()
      const bytes = 4 * limits.bytes + received
      return withCopy(source, bytes, async (copy) => {
        const closing = new AbortController()
        const ending = AbortSignal.any([signal, closing.signal])
        const repository = await opened(copy, { file: bytes, time: times.total }, ending)
        const content = await readCommit(repository, { revision, paths, limits }, (work) =>
          withLine(source, bytes, signal, work),
        )
        return openTree(content, async (isIntact) => {
          closing.abort()
          await copy.release(isIntact && !(await isLarge(copy.path, bytes)))
        })
      })
    },
  }
}

/** Returns the repository in a copy, which the first of its users creates. */
async function opened(
  { path }: Copy,
  limits: LocalLimits,
  signal: AbortSignal,
): Promise<Repository> {
  const repository = new Repository(path, limits, signal)
  if (!existsSync(join(path, 'HEAD'))) {
    await repository.create().catch((error) => {
      // What is there of it may look finished.
      throw error instanceof SourceFailure ? new DamagedCopy(error) : error
    })
  }
  return repository
}

/** @throws the failure of a disk without space by its name, and every other error as it is */
function nameFullDisk(error: unknown): never {
  throw hasCode(error, 'ENOSPC', 'EDQUOT') ? unwritable(String(error)) : error
}

/** Removes parts of packs that a run left when it was killed. No other run writes meanwhile. */
async function removeLeftovers(path: string): Promise<void> {
  const packs = join(path, 'objects/pack')
  const names = existsSync(packs) ? await readdir(packs) : []
  const parts = names.filter((name) => name.startsWith('tmp_'))
  await Promise.all(parts.map((name) => rm(join(packs, name), { force: true })))
}

/** Whether the packs in a copy have more bytes than one fetch may have: it begins again then. */
async function isLarge(path: string, most: number): Promise<boolean> {
  const packs = join(path, 'objects/pack')
  let sum = 0
  for (const name of await readdir(packs).catch(() => [])) {
    sum += (await stat(join(packs, name)).catch(() => undefined))?.size ?? 0
  }
  return sum > most
}
