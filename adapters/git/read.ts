import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SourceFailure, type SourceTree } from '../../functions/core/ports/source-reader.ts'
import type { SourceLimits } from '../../functions/core/records/source-address.ts'
import type { Dialer } from '../net/outbound.ts'
import { checkRef, type GitSource, isCommitId, parsePlace } from './address.ts'
import { Copies, type Copy } from './copies.ts'
import { DamagedCopy, type Line } from './exchange.ts'
import { FetchSlots } from './fetch-slots.ts'
import { openTree } from './git-tree.ts'
import { checkInstalled } from './installed.ts'
import { findRef } from './look.ts'
import { type ExchangeLimits, Meter } from './meter.ts'
import { readCommit } from './read-commit.ts'
import { Repository } from './repository.ts'

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

  async function withCopy<T>(source: GitSource, use: (copy: Copy) => Promise<T>): Promise<T> {
    const { url, account, key, hostKey, certificateAuthority } = source
    const copy = await copies.acquire([url, account, key, hostKey, certificateAuthority])
    try {
      return await copy.lock.run(() => use(copy))
    } catch (error) {
      const isIntact = error instanceof SourceFailure && error.problem !== 'malformed'
      await copy.release(isIntact)
      // A copy that an earlier call left half-written says nothing of the repository.
      if (isIntact) throw error
      if (copy.isNew) throw error instanceof DamagedCopy ? unwritable(error) : error
      return withCopy(source, use)
    }
  }

  return {
    async look(source, signal) {
      checkRef(source.ref)
      if (isCommitId(source.ref)) return { revision: source.ref }
      await ensureInstalled()
      return withCopy(source, async (copy) => {
        const repository = await opened(copy, received, signal)
        const revision = await withLine(source, received, signal, (line) =>
          findRef(line, repository),
        )
        await copy.release(true)
        return { revision }
      })
    },
    async open(source, revision, { paths, limits }, signal) {
      checkRef(source.ref)
      await ensureInstalled()
      const bytes = 4 * limits.bytes + received
      return withCopy(source, async (copy) => {
        const closing = new AbortController()
        const repository = await opened(copy, bytes, AbortSignal.any([signal, closing.signal]))
        const content = await readCommit(repository, { revision, paths, limits }, (work) =>
          withLine(source, bytes, signal, work),
        )
        return openTree(content, async () => {
          closing.abort()
          await copy.release(!(await isLarge(copy.path, bytes)))
        })
      })
    },
  }
}

/** Returns the repository in a copy, which the first of its users creates. */
async function opened({ path }: Copy, file: number, signal: AbortSignal): Promise<Repository> {
  const repository = new Repository(path, file, signal)
  if (!existsSync(join(path, 'HEAD'))) await repository.create()
  return repository
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

const unwritable = (cause: Error) =>
  new SourceFailure(
    'unreachable',
    'git cannot write its copy of the repository: check that the disk of the data directory has space',
    { cause },
  )
