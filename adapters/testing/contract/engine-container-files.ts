import { expect, test } from 'vitest'
import type { Engine } from '../../../functions/core/ports/engine.ts'
import { tarEntries } from '../../../functions/core/tar/entries.ts'
import { type Entry, packed } from '../tar.ts'
import { createStep, type NewEngineWorld, run, startContainer } from './engine-world.ts'

const { signal } = new AbortController()

/** Returns the files of a tar archive as texts of name and content. */
async function filesIn(engine: Engine, id: string, path: string): Promise<string[]> {
  const found: string[] = []
  for await (const { header, content } of tarEntries(engine.readFromContainer(id, path, signal))) {
    const chunks: Uint8Array[] = []
    for await (const chunk of content) chunks.push(chunk)
    if (header.type === 'file') found.push(`${header.name} ${Buffer.concat(chunks)}`)
  }
  return found.sort()
}

/** Tests files in containers through the Engine port. */
export function engineContainerFilesContract(newWorld: NewEngineWorld) {
  const entries: Entry[] = [
    { name: 'conf/', type: 'directory', mode: 0o755 },
    { name: 'conf/a', text: 'one', mode: 0o644 },
    { name: 'conf/sub/b', text: 'two', mode: 0o644 },
  ]

  test.each(['that runs', 'that was never started'])(
    'reads from a container %s what was written into it',
    async (which) => {
      const { engine, project } = await newWorld()
      let name = `${project}-one-1`
      if (which === 'that runs') name = await startContainer(engine, project, 'one', 'sleep 60')
      else await run(engine, createStep(project, 'one', 'sleep 60'))
      await engine.writeIntoContainer(name, '/tmp', await packed(...entries))
      expect(await filesIn(engine, name, '/tmp/conf')).toEqual(['conf/a one', 'conf/sub/b two'])
      expect(await filesIn(engine, name, '/tmp/conf/a')).toEqual(['a one'])
      expect(await engine.statInContainer(name, '/tmp/conf/a')).toEqual({
        kind: 'file',
        size: 3,
        mode: 0o644,
        linkTarget: '',
      })
      expect(await engine.statInContainer(name, '/tmp/conf')).toMatchObject({
        kind: 'directory',
        mode: 0o755,
      })
      await engine.writeIntoContainer(name, '/tmp/conf', await packed({ name: 'a', text: 'new' }))
      expect(await filesIn(engine, name, '/tmp/conf')).toEqual(['conf/a new', 'conf/sub/b two'])
    },
  )

  test('404: no such container, path or directory', async () => {
    const { engine, project } = await newWorld()
    const name = `${project}-one-1`
    const archive = await packed({ name: 'a', text: 'x' })
    const missing = { status: 404 }
    await expect(engine.statInContainer(name, '/tmp')).rejects.toMatchObject(missing)
    await expect(filesIn(engine, name, '/tmp')).rejects.toMatchObject(missing)
    await expect(engine.writeIntoContainer(name, '/tmp', archive)).rejects.toMatchObject(missing)
    await run(engine, createStep(project, 'one', 'sleep 60'))
    await expect(engine.statInContainer(name, '/none')).rejects.toMatchObject(missing)
    await expect(filesIn(engine, name, '/none')).rejects.toMatchObject(missing)
    await expect(engine.writeIntoContainer(name, '/none', archive)).rejects.toMatchObject(missing)
    await engine.writeIntoContainer(name, '/tmp', archive)
    await expect(engine.writeIntoContainer(name, '/tmp/a', archive)).rejects.toMatchObject(missing)
  })

  test('409: a file would replace a directory, or the other way round', async () => {
    const { engine, project } = await newWorld()
    const { name } = createStep(project, 'one', 'sleep 60')
    await run(engine, createStep(project, 'one', 'sleep 60'))
    await engine.writeIntoContainer(name, '/tmp', await packed(...entries))
    const file = await packed({ name: 'conf', text: 'x' })
    const directory = await packed({ name: 'conf/a/', type: 'directory' })
    for (const archive of [file, directory]) {
      const writing = engine.writeIntoContainer(name, '/tmp', archive)
      await expect(writing).rejects.toMatchObject({ status: 409 })
    }
  })

  test('an aborted read ends with the reason', async () => {
    const { engine, project } = await newWorld()
    const { name } = createStep(project, 'one', 'sleep 60')
    await run(engine, createStep(project, 'one', 'sleep 60'))
    const reason = new Error('enough')
    const read = engine.readFromContainer(name, '/tmp', AbortSignal.abort(reason))
    await expect(read[Symbol.asyncIterator]().next()).rejects.toBe(reason)
  })
}
