import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import { type Described, encodedStat } from './file-stat.ts'
import type { StreamCall } from './grpc-server.ts'
import { encodedField, encodedNumber, fields, numbersOf } from './protocol-buffers.ts'

/** An entry of a directory. Its content has to be read, or dropped by `resume()`. */
export interface FileEntry {
  header: Described
  content: Readable
}

/** Field numbers of the messages that both sides send. */
const packetFields = { type: 1, stat: 2, id: 3, data: 4 }
const packetTypes = { stat: 0, request: 1, data: 2, end: 3, error: 4 }

/** Bytes. A longer file is not kept in memory until the Engine asks for it. */
const shortMax = 64 * 1024
/** Bytes and count of the short files that are kept at the same time. */
const keptMax = { bytes: 1024 * 1024, files: 1000 }
/** The most files that the Engine can have asked for: the kept ones, and a longer one. */
const askedMax = keptMax.files + 2

/**
 * Sends a directory by BuildKit's protocol (`FileSync/DiffCopy`). The service describes one entry
 * after the other, in the order of an archive: directories first, names sorted. The Engine asks for
 * each regular file by its number, which is its place in that order. It asks once it knows the
 * entry, so some short files are described ahead, and a far Engine does not cost a round trip per
 * file.
 *
 * @throws if the Engine reports an error, the call breaks off, or the entries fail
 */
export async function sendFiles(
  call: StreamCall,
  entries: AsyncIterable<FileEntry>,
): Promise<void> {
  const requests = requestsOf(call)
  const kept: { id: number; content: Buffer }[] = []
  let keptBytes = 0
  const sendData = (id: number, data: Buffer) => call.send(dataPacket(id, data))
  const sendKept = async () => {
    const next = kept.shift()
    if (!next) return
    keptBytes -= next.content.length
    await requests.untilAsked(next.id)
    if (next.content.length > 0) await sendData(next.id, next.content)
    await sendData(next.id, Buffer.alloc(0))
  }
  let last: string | undefined
  let described = 0
  const describe = async (header: Described) => {
    last = header.name
    described += 1
    await call.send(statPacket(header))
    return described - 1
  }
  try {
    for await (const { header, content } of entries) {
      for (const name of missingParents(header.name, last)) {
        await describe({ ...emptyDirectory, name })
      }
      const id = await describe(header)
      if (header.type !== 'file' && header.type !== 'contiguous-file') content.resume()
      else if ((header.size ?? 0) <= shortMax) {
        kept.push({ id, content: await buffer(content) })
        keptBytes += header.size ?? 0
        while (keptBytes > keptMax.bytes || kept.length > keptMax.files) await sendKept()
      } else {
        while (kept.length > 0) await sendKept()
        await requests.untilAsked(id)
        for await (const chunk of content) await sendData(id, chunk)
        await sendData(id, Buffer.alloc(0))
      }
    }
    while (kept.length > 0) await sendKept()
    // An empty description ends the list.
    await call.send(encodedNumber(packetFields.type, BigInt(packetTypes.stat)))
    await requests.untilEnd()
    await call.send(encodedNumber(packetFields.type, BigInt(packetTypes.end)))
  } catch (error) {
    await call.send(errorPacket).catch(ignoreError('report a failed build context'))
    throw error
  }
}

/**
 * Returns the directories above a path that were not described, from the top: they are ignored, and
 * something in them is not. What is in a directory follows directly after it, so those above the
 * last entry were described.
 */
function missingParents(path: string, last = ''): string[] {
  const missing: string[] = []
  let parent = posix.dirname(path)
  while (parent !== '.' && parent !== '/' && last !== parent && !last.startsWith(`${parent}/`)) {
    missing.unshift(parent)
    parent = posix.dirname(parent)
  }
  return missing
}

const emptyDirectory = { type: 'directory', mode: 0o755, mtime: new Date(0) } as const

/** Reads what the Engine asks for from the messages of a call. */
function requestsOf({ messages }: StreamCall) {
  const asked = new Set<number>()
  const all = messages[Symbol.asyncIterator]()
  /** Returns whether more messages follow. */
  const readOne = async () => {
    const { done, value } = await all.next()
    if (done) throw new Error('the Engine ended the call')
    const { type, id } = numbersOf(value, { type: packetFields.type, id: packetFields.id })
    if (type === packetTypes.error) throw new Error(`the Engine reports: ${textOf(value)}`)
    if (type === packetTypes.request) asked.add(id)
    if (asked.size > askedMax) throw new Error('the Engine asks for files that do not exist')
    return type !== packetTypes.end
  }
  return {
    /** Waits until the Engine has asked for the file with this number. */
    async untilAsked(id: number) {
      while (!asked.delete(id)) {
        if (!(await readOne())) throw new Error('the Engine has not asked for every file')
      }
    },
    /** Waits until the Engine has everything. */
    async untilEnd() {
      while (await readOne());
    },
  }
}

const textOf = (message: Buffer) =>
  String([...fields(message)].find(([field]) => field === packetFields.data)?.[1] ?? '')

const statPacket = (header: Described) => encodedField(packetFields.stat, encodedStat(header))

const dataPacket = (id: number, data: Buffer) =>
  Buffer.concat([
    encodedNumber(packetFields.type, BigInt(packetTypes.data)),
    encodedNumber(packetFields.id, BigInt(id)),
    encodedField(packetFields.data, data),
  ])

const errorPacket = Buffer.concat([
  encodedNumber(packetFields.type, BigInt(packetTypes.error)),
  encodedField(packetFields.data, Buffer.from('the build context could not be read')),
])
