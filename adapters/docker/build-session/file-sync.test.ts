import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { type FileEntry, sendFiles } from './file-sync.ts'
import { encodedField, encodedNumber, fields, numbersOf, textsOf } from './protocol-buffers.ts'

const packetFields = { type: 1, stat: 2, id: 3, data: 4 }
const types = { request: 1n, data: 2, end: 3, error: 4n }

const file = (name: string, text: string): FileEntry => ({
  header: { name, type: 'file', mode: 0o644, size: text.length },
  content: Readable.from(text === '' ? [] : [Buffer.from(text)]),
})
const directory = (name: string): FileEntry => ({
  header: { name, type: 'directory', mode: 0o755 },
  content: Readable.from([]),
})

const request = (id: number) =>
  Buffer.concat([encodedNumber(1, types.request), encodedNumber(3, BigInt(id))])

/**
 * Receives entries as an Engine does. `onEntry` is called with each description (path, mode, size),
 * and with undefined after the last one. What it returns is sent to the service.
 */
async function received(
  entries: FileEntry[],
  onEntry: (id: number, path: string | undefined) => Buffer[],
) {
  const described: string[] = []
  const contents: Record<number, string> = {}
  const incoming: Buffer[] = []
  let wake = () => {}
  let isClosed = false
  async function* messages() {
    for (;;) {
      const next = incoming.shift()
      if (next) yield next
      if (next) continue
      if (isClosed) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  const send = async (message: Buffer) => {
    const { type, id } = numbersOf(message, { type: 1, id: 3 })
    const part = (field: number) => [...fields(message)].find(([one]) => one === field)?.[1]
    if (type === types.data) contents[id] = (contents[id] ?? '') + String(part(packetFields.data))
    if (type === 0) {
      const stat = part(packetFields.stat)
      const path = stat && textsOf(stat, { path: 1 }).path
      if (path !== undefined) described.push(path)
      const answers = onEntry(described.length - 1, path)
      if (answers.length === 0 && path === undefined) isClosed = true
      incoming.push(...answers)
      wake()
    }
  }
  const call = { headers: {}, messages: messages(), send }
  async function* all() {
    yield* entries
  }
  await sendFiles(call, all())
  return { described, contents }
}

const end = encodedNumber(1, BigInt(types.end))

test('describes entries in order and sends the files that are asked for', async () => {
  const entries = [directory('a'), file('a/one', '1'), file('b', ''), file('c', 'three')]
  const { described, contents } = await received(entries, (id, path) => {
    if (path === undefined) return [end]
    return path === 'a' ? [] : [request(id)]
  })
  expect(described).toEqual(['a', 'a/one', 'b', 'c'])
  expect(contents).toEqual({ 1: '1', 2: '', 3: 'three' })
})

test('describes the directories above a file once, even if they are no entries', async () => {
  const entries = [file('a/b/one', '1'), file('a/b/two', '2')]
  const { described } = await received(entries, (id, path) => {
    if (path === undefined) return [end]
    return path.includes('/b/') ? [request(id)] : []
  })
  expect(described).toEqual(['a', 'a/b', 'a/b/one', 'a/b/two'])
})

test('describes an entry with an absolute path', async () => {
  const { described } = await received([file('/a/b', '1')], (id, path) =>
    path === undefined ? [end] : path === '/a/b' ? [request(id)] : [],
  )
  expect(described).toEqual(['/a', '/a/b'])
})

test('describes short files ahead of the first request', async () => {
  const entries = Array.from({ length: 500 }, (_, index) => file(`f${1000 + index}`, `${index}`))
  const { contents } = await received(entries, (id, path) => {
    if (path !== undefined) return id < 499 ? [] : entries.map((_, index) => request(499 - index))
    return [end]
  })
  expect(Object.keys(contents)).toHaveLength(500)
  expect(contents[7]).toBe('7')
})

test('waits for the request of a long file', async () => {
  const long = 'x'.repeat(100_000)
  const entries = [file('a', 'short'), file('b', long), file('c', 'last')]
  const seen: string[] = []
  const { contents } = await received(entries, (id, path) => {
    if (path !== undefined) seen.push(path)
    return path === undefined ? [end] : [request(id)]
  })
  expect(contents).toEqual({ 0: 'short', 1: long, 2: 'last' })
  expect(seen).toEqual(['a', 'b', 'c'])
})

test.each([
  [
    'the Engine reports an error',
    Buffer.concat([encodedNumber(1, types.error), encodedField(4, Buffer.from('disk full'))]),
    'the Engine reports: disk full',
  ],
  ['the Engine ends without asking', end, 'the Engine has not asked for every file'],
])('fails if %s', async (_, message, text) => {
  const long = file('a', 'x'.repeat(100_000))
  await expect(received([long], () => [message])).rejects.toThrow(text)
})

test('fails if the call breaks off', async () => {
  await expect(received([directory('a')], () => [])).rejects.toThrow('the Engine ended the call')
})

test('fails with the error of the entries, and reports it to the Engine', async () => {
  const sent: Buffer[] = []
  const call = {
    headers: {},
    messages: (async function* () {})(),
    send: async (message: Buffer) => void sent.push(message),
  }
  const entries = (async function* (): AsyncGenerator<FileEntry> {
    yield directory('a')
    throw new Error('a hard link')
  })()
  await expect(sendFiles(call, entries)).rejects.toThrow('a hard link')
  expect(numbersOf(sent.at(-1) ?? Buffer.alloc(0), { type: 1 })).toEqual({ type: 4 })
})
