import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { internalError } from '../../../functions/core/errors.ts'
import type { AuditAnchor } from '../../../functions/core/ports/audit-anchor.ts'
import type { KeyStore } from '../../../functions/core/ports/key-store.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import { markHandled } from '../../../functions/core/promises.ts'
import type { Anchored } from '../../../functions/core/records/audit-chain.ts'
import { replacePrivate } from '../keys/private-file.ts'

/**
 * Stores the end of the audit chain in a private file of the data directory, `audit-head.<table>`.
 * It is written after each block of rows, and no request waits for it. Processes with the same data
 * directory share the file; the newest end wins.
 */
export function fileAnchor(dataDirectory: string, table: string, log: Log): AuditAnchor {
  const file = join(dataDirectory, `audit-head.${table}`)
  const read = async () => readAnchor(file)
  const write = async (ahead: Anchored) => {
    await replacePrivate(file, textOf(newer(readAnchor(file), ahead)))
  }
  return openAnchor({ read, write }, log)
}

/**
 * Stores the end of the audit chain in a file, and also among the sealed keys in the store, which
 * all processes share. Someone who can write to the store can put an older version of that item
 * back, but not of the file.
 */
export function sharedAnchor(file: AuditAnchor, keys: KeyStore, log: Log): AuditAnchor {
  const name = 'audit-head'
  const read = async () => {
    const kept = await keys.find(name)
    return kept && readAnchored(kept.text)
  }
  const write = async (ahead: Anchored) => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const kept = await keys.find(name)
      if (!kept) await keys.create(name, textOf(ahead))
      else {
        const next = textOf(newer(readAnchored(kept.text), ahead))
        if (next === kept.text || (await keys.replace(name, next, kept.version))) return
      }
    }
    throw new Error('too many processes write it')
  }
  const shared = openAnchor({ read, write }, log)
  return {
    read: async () => newer(await file.read(), await shared.read()),
    advance(head) {
      file.advance(head)
      shared.advance(head)
    },
    replaced(head, seq) {
      file.replaced(head, seq)
      shared.replaced(head, seq)
    },
    async settled() {
      await Promise.all([file.settled(), shared.settled()])
    },
  }
}

/** How often other processes may write first. */
const triesMax = 20

const textOf = (anchored: Anchored) => `${JSON.stringify(anchored)}\n`

/** A place for the end of the chain. `write` combines it with what is there. */
interface AnchorPlace {
  read(): Promise<Anchored | undefined>
  write(ahead: Anchored): Promise<void>
}

function openAnchor({ read, write }: AnchorPlace, log: Log): AuditAnchor {
  /** The newest end that is not stored yet. */
  let ahead: Anchored | undefined
  let writing: Promise<void> | undefined

  const writeAll = async () => {
    try {
      while (ahead) {
        const next = ahead
        ahead = undefined
        // If this fails, it is written with the next end.
        await write(next).catch((error) => {
          ahead = newer(ahead, next)
          throw error
        })
      }
    } catch (error) {
      log.error('the end of the audit rows could not be stored', { error })
    } finally {
      writing = undefined
    }
  }
  const remember = (known: Anchored) => {
    ahead = newer(ahead, known)
    writing ??= markHandled(writeAll())
  }
  return {
    read: async () => {
      // `ahead` is read last: it may be stored while `read` waits.
      const pending = ahead
      return newer(await read(), newer(pending, ahead))
    },
    advance: (head) => remember({ head, replaced: [] }),
    replaced: (head, seq) => remember({ head, replaced: [seq] }),
    async settled() {
      await writing
    },
  }
}

/** Returns both combined: the newer head and all replaced rows. */
function newer<A extends Anchored | undefined>(one: Anchored | undefined, other: A): A | Anchored {
  if (!one || !other) return one ?? other
  const head = one.head.seq >= other.head.seq ? one.head : other.head
  return { head, replaced: [...new Set([...one.replaced, ...other.replaced])] }
}

/**
 * Reads the file synchronously, because it is read before each write and is small.
 *
 * @throws 500 if the file is damaged
 */
function readAnchor(file: string): Anchored | undefined {
  try {
    return readAnchored(readFileSync(file, 'utf8'))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw internalError('the file audit-head in the data directory of the service is damaged', {
      cause,
    })
  }
}

/**
 * Parses the text of an anchor.
 *
 * @throws Error if it is damaged
 */
export function readAnchored(text: string): Anchored {
  const anchored = JSON.parse(text) as Anchored
  const { seq, mac } = anchored?.head ?? {}
  const isWhole =
    Number.isInteger(seq) && typeof mac === 'string' && Array.isArray(anchored.replaced)
  if (!isWhole) throw new Error('it does not contain the head of the audit chain')
  return anchored
}
