import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { expect, test } from 'vitest'
import type { Engine } from '../../../functions/core/ports/engine.ts'
import type { FilePlace } from '../../../functions/core/records/host-engine.ts'
import { tarOf } from '../../../functions/core/tar/make.ts'
import { watchTar } from '../../../functions/core/tar/watch.ts'
import { labels, type NewEngineWorld, run, step } from './engine-world.ts'

const { signal } = new AbortController()
const owner = 'contract'

async function* pieces(content: Uint8Array) {
  for (let at = 0; at < content.length; at += 5000) yield content.subarray(at, at + 5000)
}

/** Returns the regular files of a place as texts of path, mode and content. */
async function filesIn(engine: Engine, place: FilePlace): Promise<string[]> {
  const archive = extract()
  const { stream } = watchTar(engine.readArchive(place, owner, signal))
  const source = Readable.from(stream)
  source.on('error', (error) => archive.destroy(error))
  source.pipe(archive)
  const found: string[] = []
  for await (const entry of archive) {
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk as Buffer)
    const { name, type, mode = 0 } = entry.header
    if (type === 'file') found.push(fileLine(name, mode & 0o7777, Buffer.concat(chunks)))
  }
  return found.sort()
}

const fileLine = (path: string, mode: number, content: Uint8Array) =>
  `${path} ${mode.toString(8)} ${createHash('sha256').update(content).digest('hex')}`

const newVolume = (name: string, project: string) =>
  step({ action: 'create', kind: 'volume', name, body: { Name: name, Labels: labels(project) } })

/** Tests how the Engine port reads, writes and clears whole volumes and directories. */
export function engineArchivesContract(newWorld: NewEngineWorld) {
  const written = [
    { path: 'data/a.txt', content: Buffer.from('one'), mode: 0o600 },
    { path: 'data/deep/b', content: Buffer.alloc(20_000, 'b'), mode: 0o755 },
  ]
  const read = written.map(({ path, mode, content }) => fileLine(path, mode, content))

  test('reads from a volume what it wrote', async () => {
    const { engine, project } = await newWorld()
    const name = `${project}_data`
    const place = { kind: 'volume', name } as const
    await run(engine, newVolume(name, project))
    expect(await filesIn(engine, place)).toEqual([])
    await engine.writeArchive(place, pieces(await tarOf(written)), owner, signal)
    expect(await filesIn(engine, place)).toEqual(read)
    expect((await engine.containers({ all: true })).filter((one) => one.stack === project)).toEqual(
      [],
    )
  })

  test('creates a directory and its files on write', async () => {
    const { engine, directory } = await newWorld()
    const place = { kind: 'directory', path: directory } as const
    await expect(filesIn(engine, place)).rejects.toMatchObject({ status: 404 })
    await engine.writeArchive(place, pieces(await tarOf(written)), owner, signal)
    expect(await filesIn(engine, place)).toEqual(read)
  })

  test('a volume holds what was written into it; calls at the same time agree', async () => {
    const { engine, project } = await newWorld()
    const [name, empty] = [`${project}_data`, `${project}_empty`]
    await run(engine, newVolume(name, project), newVolume(empty, project))
    const place = { kind: 'volume', name } as const
    await engine.writeArchive(place, pieces(await tarOf(written)), owner, signal)
    const [sizes, others] = await Promise.all([engine.volumeSizes(), engine.volumeSizes()])
    const bytesOf = (wanted: string) => sizes.find((one) => one.name === wanted)?.bytes
    expect(bytesOf(name)).toBeGreaterThanOrEqual(20_000)
    expect(bytesOf(empty)).toBeLessThan(20_000)
    expect(others).toEqual(sizes)
  })

  test('404: no such volume; reading does not create it', async () => {
    const { engine, project } = await newWorld()
    for (const name of [`${project}_none`, '../../version', 'a b', '']) {
      const place = { kind: 'volume', name } as const
      await expect(filesIn(engine, place), name).rejects.toMatchObject({ status: 404 })
      const writing = engine.writeArchive(place, pieces(await tarOf(written)), owner, signal)
      await expect(writing, name).rejects.toMatchObject({ status: 404 })
    }
    const names = (await engine.volumes()).map(({ name }) => name)
    expect(names).not.toContain(`${project}_none`)
  })

  test('a broken or abandoned archive ends the operation', async () => {
    const { engine, project } = await newWorld()
    const name = `${project}_data`
    const place = { kind: 'volume', name } as const
    await run(engine, newVolume(name, project))
    async function* broken() {
      yield (await tarOf(written)).subarray(0, 700)
      throw new Error('the source is gone')
    }
    const writing = engine.writeArchive(place, broken(), owner, signal)
    await expect(writing).rejects.toThrow('the source is gone')
    const reason = new Error('enough')
    const stopped = engine.readArchive(place, owner, AbortSignal.abort(reason))
    await expect(stopped[Symbol.asyncIterator]().next()).rejects.toBe(reason)
    for await (const _chunk of engine.readArchive(place, owner, signal)) break
    await engine.removeArchiveHelpers(owner)
  })

  test('deletes the named files and emptied directories, nothing else', async () => {
    const { engine, project } = await newWorld()
    const name = `${project}_data`
    const place = { kind: 'volume', name } as const
    await run(engine, newVolume(name, project))
    const many = Array.from({ length: 300 }, (_, at) => ({
      path: `data/many/ä ${at}`,
      content: Buffer.from('x'),
      mode: 0o644,
    }))
    await engine.writeArchive(place, pieces(await tarOf([...written, ...many])), owner, signal)
    const paths = [...many.map(({ path }) => path), 'data/many/', 'data/deep/b', 'data/none']
    const list = Buffer.from(paths.map((path) => `${path}\0`).join(''))
    await engine.clearPlace(place, list, owner, signal)
    expect(await filesIn(engine, place)).toEqual(read.slice(0, 1))
    await engine.clearPlace(place, Buffer.from('data/a.txt\0data/deep/\0'), owner, signal)
    expect(await filesIn(engine, place)).toEqual([])
  })
}
