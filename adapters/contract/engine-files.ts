import { expect, test } from 'vitest'
import type { Engine } from '../../functions/core/engine/engine.ts'
import type { NewEngineWorld } from './engine-world.ts'

/** Tests files on the host through the Engine port. */
export function engineFilesContract(newWorld: NewEngineWorld) {
  const file = (path: string, content: string, mode = 0o644) => ({
    path,
    content: Buffer.from(content),
    mode,
  })
  const read = async (engine: Engine, directory: string, paths: string[], known?: boolean) =>
    (await engine.readFiles(directory, paths, { known })).map(
      ({ path, content, mode }) =>
        `${path} ${mode.toString(8)} ${Buffer.from(content).toString('utf8')}`,
    )

  test('files are written with their modes, read, replaced and deleted', async () => {
    const { engine, directory } = await newWorld()
    expect(await read(engine, directory, ['compose.yaml', '.env'])).toEqual([])
    await engine.writeFiles(directory, [
      file('compose.yaml', 'one'),
      file('.env', 'A=1', 0o600),
      file('conf/d/site', 'x', 0o755),
    ])
    expect(await read(engine, directory, ['.env', 'compose.yaml', 'conf/d/site', 'none'])).toEqual([
      '.env 600 A=1',
      'compose.yaml 644 one',
      'conf/d/site 755 x',
    ])
    await engine.writeFiles(directory, [file('compose.yaml', 'two')], ['.env', 'none'])
    expect(await read(engine, directory, ['compose.yaml', '.env'])).toEqual([
      'compose.yaml 644 two',
    ])
    expect(await read(engine, directory, ['.env'])).toEqual([])
  })

  test('a file that may be known is as it was last written', async () => {
    const { engine, directory } = await newWorld()
    const paths = ['a', 'b', 'none']
    for (const content of ['one', 'two']) {
      await engine.writeFiles(directory, [file('a', content, 0o600), file('b', content)])
      const expected = [`a 600 ${content}`, `b 644 ${content}`]
      expect(await read(engine, directory, paths, true)).toEqual(expected)
      expect(await read(engine, directory, paths, true)).toEqual(expected)
    }
    await engine.writeFiles(directory, [file('b', 'two', 0o755)], ['a'])
    expect(await read(engine, directory, paths, true)).toEqual(['b 755 two'])
  })

  test('a directory is not a file', async () => {
    const { engine, directory } = await newWorld()
    await engine.writeFiles(directory, [file('conf/a', 'x')])
    expect(await read(engine, directory, ['conf'])).toEqual([])
    expect(await read(engine, directory, ['conf', 'conf/a'])).toEqual(['conf/a 644 x'])
    expect(await read(engine, directory, ['conf', 'conf/a'], true)).toEqual(['conf/a 644 x'])
  })

  test('writers at the same time do not disturb each other', async () => {
    const { engine, directory } = await newWorld()
    const names = Array.from({ length: 5 }, (_, index) => `file-${index}`)
    await Promise.all(names.map((name) => engine.writeFiles(directory, [file(name, name)])))
    expect(await read(engine, directory, names)).toEqual(names.map((name) => `${name} 644 ${name}`))
  })

  test('400: a path that leaves the directory', async () => {
    const { engine, directory } = await newWorld()
    for (const path of ['../other', '/etc/passwd', 'a/../../b', '', 'a//b', 'a\0b']) {
      const failure = { status: 400 }
      await expect(engine.writeFiles(directory, [file(path, 'x')])).rejects.toMatchObject(failure)
      await expect(engine.writeFiles(directory, [], [path])).rejects.toMatchObject(failure)
      await expect(engine.readFiles(directory, [path])).rejects.toMatchObject(failure)
    }
  })
}
