import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Bytes, OpenTarget } from '../../../functions/core/ports/backup-targets.ts'
import { present } from '../present.ts'

/** Opens an empty target for one test. */
export type NewTarget = () => Promise<OpenTarget>

/** Returns a signal that never aborts. */
export const neverAborted = () => new AbortController().signal

/** Yields bytes in pieces whose size matches no other unit of the backups. */
export async function* inPieces(bytes: Buffer, size = 77_777): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Returns all bytes of a stream. */
export async function readAll(bytes: Bytes): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const text = (content: string) => inPieces(Buffer.from(content))

/** Tests a backup target. `many` is the number of objects in the test of long listings. */
export function backupTargetsContract(newPlace: NewTarget, { many = 2_100 } = {}) {
  test('lists an object with its size and reads it from any offset', async () => {
    const place = await newPlace()
    // Lengths around the size of a part in a multipart upload.
    for (const length of [0, 1, 8_388_608, 17_000_001]) {
      const bytes = randomBytes(length)
      const name = `job/run/volume-${length}.tar.zst.age`
      expect(await place.put(name, inPieces(bytes), neverAborted())).toEqual({ bytes: length })
      expect(await place.list('job/run')).toContainEqual({ name, bytes: length })
      expect((await readAll(await place.get(name))).equals(bytes)).toBe(true)
      for (const offset of [Math.floor(length / 2) + 1, length + 5]) {
        const rest = await readAll(await place.get(name, { offset }))
        expect(rest.equals(bytes.subarray(offset)), `${length} from ${offset}`).toBe(true)
      }
    }
    await place.close()
  })

  test('replaces an object completely', async () => {
    const place = await newPlace()
    await place.put('job/run/one', text('the first content, which is longer'), neverAborted())
    await place.put('job/run/one', text('the second'), neverAborted())
    expect((await readAll(await place.get('job/run/one'))).toString()).toBe('the second')
    expect(await place.list('job')).toEqual([{ name: 'job/run/one', bytes: 10 }])
    await place.close()
  })

  test('keeps names in any script and lists only what is below a directory', async () => {
    const place = await newPlace()
    const names = ['job a/run/ä ö+%41&?#.tar', 'job a/run/日本.tar', 'job a/run2/x', 'job ab/run/x']
    for (const name of names) await place.put(name, text(name), neverAborted())
    expect((await place.list('job a/run')).map(({ name }) => name)).toEqual(names.slice(0, 2))
    expect(await place.list('job a')).toHaveLength(3)
    expect(await place.list('job')).toEqual([])
    for (const name of names) expect((await readAll(await place.get(name))).toString()).toBe(name)
    await place.close()
  })

  test('removes objects and empty directories; removing twice is no error', async () => {
    const place = await newPlace()
    for (const name of ['a/b/c/one', 'a/b/two']) await place.put(name, text(name), neverAborted())
    await place.remove(['a/b/c/one', 'a/none/three'])
    expect(await place.list('a')).toEqual([{ name: 'a/b/two', bytes: 7 }])
    await place.remove(['a/b/two', 'a/b/c/one'])
    expect(await place.list('a')).toEqual([])
    await place.remove([])
    await place.close()
  })

  test('404: an object does not exist, in an existing or missing directory', async () => {
    const place = await newPlace()
    await place.put('job/run/one', text('one'), neverAborted())
    for (const name of ['job/run/two', 'job/none/one', 'none/run/one', 'job/run']) {
      await expect(place.get(name).then(readAll), name).rejects.toMatchObject({ status: 404 })
    }
    expect(await place.list('none')).toEqual([])
    await place.close()
  })

  test('400: a name leaves the target', async () => {
    const place = await newPlace()
    const names = ['', '/etc/passwd', '../one', 'job/../../one', 'job//one', './one', 'job/', '..']
    for (const name of [...names, 'job\\one', 'job/\0', 'job/a\nb', 'x'.repeat(230)]) {
      const calls = [
        () => place.put(name, text('x'), neverAborted()),
        () => place.get(name),
        () => place.remove([name]),
        () => place.list(name),
      ]
      for (const call of calls) {
        await expect(call(), JSON.stringify(name)).rejects.toMatchObject({ status: 400 })
      }
    }
    await place.close()
  })

  test('leaves nothing of an object after an error of the source or a signal', async () => {
    const place = await newPlace()
    async function* failing() {
      yield randomBytes(25_000_000)
      yield randomBytes(9_000_000)
      throw new Error('the source is gone')
    }
    const put = place.put('job/run/one', failing(), neverAborted())
    await expect(put).rejects.toThrow('the source is gone')
    const stop = new AbortController()
    let ended = false
    async function* endless() {
      try {
        for (let piece = 0; ; piece++) {
          if (piece === 40) stop.abort(new Error('enough'))
          yield randomBytes(1_000_000)
        }
      } finally {
        ended = true
      }
    }
    await expect(place.put('job/run/two', endless(), stop.signal)).rejects.toThrow('enough')
    await expect.poll(() => ended).toBe(true)
    await expect(place.put('job/run/three', text('x'), stop.signal)).rejects.toThrow('enough')
    expect(await place.list('job')).toEqual([])
    for (const name of ['one', 'two', 'three']) {
      await expect(place.get(`job/run/${name}`)).rejects.toMatchObject({ status: 404 })
    }
    await place.close()
  })

  test('returns the old object until its replacement is complete', async () => {
    const place = await newPlace()
    await place.put('job/run/one', text('old'), neverAborted())
    async function* slowly() {
      yield randomBytes(10_000_000)
      expect((await readAll(await place.get('job/run/one'))).toString()).toBe('old')
      throw new Error('cut')
    }
    await expect(place.put('job/run/one', slowly(), neverAborted())).rejects.toThrow('cut')
    expect((await readAll(await place.get('job/run/one'))).toString()).toBe('old')
    await place.close()
  })

  test('an abandoned or aborted read leaves the target unchanged', async () => {
    const place = await newPlace()
    const bytes = randomBytes(3_000_000)
    await place.put('job/run/one', inPieces(bytes), neverAborted())
    for await (const _ of await place.get('job/run/one')) break
    const stop = new AbortController()
    const read = async () => {
      for await (const _ of await place.get('job/run/one', { signal: stop.signal })) {
        stop.abort(new Error('enough'))
      }
    }
    await expect(read()).rejects.toThrow('enough')
    expect((await readAll(await place.get('job/run/one'))).equals(bytes)).toBe(true)
    await place.close()
  })

  test('accepts concurrent writes of different names and of the same name', async () => {
    const place = await newPlace()
    const contents = Array.from({ length: 6 }, () => randomBytes(300_000))
    await Promise.all(
      contents.map((bytes, index) =>
        place.put(`job/run/${index}`, inPieces(bytes), neverAborted()),
      ),
    )
    await Promise.all(
      contents.map((bytes) => place.put('job/run/all', inPieces(bytes), neverAborted())),
    )
    const reads = contents.map(async (_, index) => readAll(await place.get(`job/run/${index}`)))
    expect(
      (await Promise.all(reads)).every((read, index) => read.equals(present(contents[index]))),
    ).toBe(true)
    const last = await readAll(await place.get('job/run/all'))
    expect(contents.some((bytes) => bytes.equals(last))).toBe(true)
    expect(await place.list('job/run')).toHaveLength(7)
    await place.close()
  })

  test(`lists ${many} objects completely and in order, and removes them`, async () => {
    const place = await newPlace()
    const names = Array.from({ length: many }, (_, index) => `many/run/o${index}`).sort()
    const rest = [...names]
    const worker = async () => {
      for (let name = rest.pop(); name; name = rest.pop())
        await place.put(name, text('x'), neverAborted())
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    const listed = await place.list('many')
    expect(listed.map(({ name }) => name)).toEqual(names)
    await place.remove(names)
    expect(await place.list('many')).toEqual([])
    await place.close()
  }, 120_000)
}
