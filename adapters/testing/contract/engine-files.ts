import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Engine } from '../../../functions/core/ports/engine.ts'
import type { ExpectedFile } from '../../../functions/core/records/host-engine.ts'
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

  test('writes files with modes, reads, replaces and deletes them', async () => {
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

  test('a cached read returns the last written content', async () => {
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

  test('writes links, examines files and links, and replaces one by the other', async () => {
    const { engine, directory } = await newWorld()
    const content = Buffer.from('listen 80;')
    await engine.writeFiles(directory, [
      { ...file('releases/2/site', ''), content },
      { path: 'current', link: 'releases/2' },
    ])
    const sha256 = createHash('sha256').update(content).digest('hex')
    const expected = new Map<string, ExpectedFile>([
      ['releases/2/site', content.length],
      ['current', 'link'],
      ['none', 3],
    ])
    const found = await engine.examineFiles(directory, expected)
    expect([...found]).toEqual([
      ['releases/2/site', { sha256, size: content.length, mode: 0o644 }],
      ['current', { link: 'releases/2' }],
    ])
    await engine.writeFiles(directory, [file('current', 'x'), { path: 'site', link: 'current' }])
    expect(await read(engine, directory, ['current'])).toEqual(['current 644 x'])
    await engine.writeFiles(directory, [], ['site'])
    expect(await read(engine, directory, ['current'])).toEqual(['current 644 x'])
    expect(await engine.examineFiles(directory, new Map([['site', 'link']]))).toEqual(new Map())
  })

  test.each([true, false])('examines hundreds of files (known: %s)', async (known) => {
    const { engine, directory } = await newWorld()
    const files = Array.from({ length: 300 }, (_, index) =>
      file(`${index % 3}/d${index % 7}/f${index}`, `content ${index}`, index % 2 ? 0o644 : 0o755),
    )
    await engine.writeFiles(directory, [...files, file('data/own', 'x'.repeat(1000))])
    await engine.writeFiles(directory, [file('1/d1/f1', 'other 1!!'), file('root', 'y')])
    const expected = new Map(
      [...files, file('root', 'y'), file('gone/f', '')].map(
        ({ path, content }) => [path, content.length] as const,
      ),
    )
    const found = await engine.examineFiles(directory, expected, {
      known: new Set(known ? expected.keys() : []),
      avoid: ['data', '2/d2'],
    })
    expect(found.size).toBe(301)
    for (const { path, content, mode } of files) {
      const sha256 = createHash('sha256').update(content).digest('hex')
      const entry = { sha256, size: content.length, mode }
      if (path === '1/d1/f1') expect(found.get(path)).not.toEqual(entry)
      else expect(found.get(path)).toEqual(entry)
    }
  })

  test('a directory is not a file', async () => {
    const { engine, directory } = await newWorld()
    await engine.writeFiles(directory, [file('conf/a', 'x')])
    expect(await read(engine, directory, ['conf'])).toEqual([])
    expect(await read(engine, directory, ['conf', 'conf/a'])).toEqual(['conf/a 644 x'])
    expect(await read(engine, directory, ['conf', 'conf/a'], true)).toEqual(['conf/a 644 x'])
  })

  test.each(['a file', 'a link'])('409: %s does not replace a directory', async (what) => {
    const { engine, directory } = await newWorld()
    await engine.writeFiles(directory, [file('conf/d/own', 'precious')])
    const replacing = what === 'a file' ? file('conf', 'x') : { path: 'conf', link: 'compose.yaml' }
    await expect(
      engine.writeFiles(directory, [file('compose.yaml', 'x'), replacing]),
    ).rejects.toMatchObject({ status: 409, message: expect.stringMatching(/^conf in .* is a dir/) })
    expect(await read(engine, directory, ['conf/d/own'])).toEqual(['conf/d/own 644 precious'])
  })

  test('409: a file does not become a directory', async () => {
    const { engine, directory } = await newWorld()
    await engine.writeFiles(directory, [file('conf', 'precious')])
    for (const path of ['conf/a', 'conf/d/a']) {
      await expect(engine.writeFiles(directory, [file(path, 'x')])).rejects.toMatchObject({
        status: 409,
        message: expect.stringMatching(/^conf in .* is a file/),
      })
      await engine.writeFiles(directory, [], [path])
      for (const known of [true, false]) {
        expect(await read(engine, directory, [path, 'conf'], known)).toEqual(['conf 644 precious'])
        const many = Array.from({ length: 20 }, (_, at) => [`${path}/${at}`, 3] as const)
        for (const expected of [[[path, 3]], [[path, 'link']], many] as const) {
          const map = new Map<string, ExpectedFile>(expected)
          const options = { known: new Set(known ? map.keys() : []) }
          expect(await engine.examineFiles(directory, map, options)).toEqual(new Map())
        }
      }
    }
  })

  test('replaces a directory that became empty by a file, but none that did not', async () => {
    const { engine, directory } = await newWorld()
    const emptied = ['conf/d/e', 'conf/d', 'conf']
    await engine.writeFiles(directory, [file('conf/d/e/a', 'x'), file('conf/b', 'x')])
    await engine.writeFiles(directory, [], ['conf/d/e/a'], emptied)
    const writing = () => engine.writeFiles(directory, [file('conf', 'file')])
    await expect(writing()).rejects.toMatchObject({ status: 409 })
    expect(await read(engine, directory, ['conf/b'])).toEqual(['conf/b 644 x'])
    await engine.writeFiles(directory, [], ['conf/b'], emptied)
    await writing()
    expect(await read(engine, directory, ['conf'])).toEqual(['conf 644 file'])
  })

  test('deletes thousands of files with long paths', async () => {
    const { engine, directory } = await newWorld()
    const long = (at: number) => `${'directory/'.repeat(10)}${'name'.repeat(50)}${at}`
    const paths = Array.from({ length: 8000 }, (_, at) => long(at))
    const written = [0, 4000, 7999].map((at) => file(long(at), 'x'))
    await engine.writeFiles(directory, [...written, file('kept', 'x')])
    await engine.writeFiles(directory, [], paths)
    expect(await read(engine, directory, [...written.map(({ path }) => path), 'kept'])).toEqual([
      'kept 644 x',
    ])
  })

  test('concurrent writers do not interfere', async () => {
    const { engine, directory } = await newWorld()
    const names = Array.from({ length: 5 }, (_, index) => `file-${index}`)
    await Promise.all(names.map((name) => engine.writeFiles(directory, [file(name, name)])))
    expect(await read(engine, directory, names)).toEqual(names.map((name) => `${name} 644 ${name}`))
  })

  test('removes a directory that became empty, with the empty ones in it', async () => {
    const { engine, directory } = await newWorld()
    const paths = ['compose.yaml', 'conf/d/site', 'conf/e/site']
    const written = paths.map((path) => file(path, 'x'))
    await engine.writeFiles(directory, written)
    await engine.writeFiles(directory, [file('conf/e/own', 'y')], paths)
    await engine.removeEmptyDirectory(directory, paths)
    expect(await read(engine, directory, ['conf/e/own'])).toEqual(['conf/e/own 644 y'])
    await engine.writeFiles(directory, [], ['conf/e/own'])
    await engine.removeEmptyDirectory(directory, paths)
    await engine.removeEmptyDirectory(directory, paths)
    await engine.writeFiles(directory, [file('compose.yaml', 'two')])
    expect(await read(engine, directory, ['compose.yaml'])).toEqual(['compose.yaml 644 two'])
  })

  test('400: a path leaves the directory', async () => {
    const { engine, directory } = await newWorld()
    for (const path of ['../other', '/etc/passwd', 'a/../../b', '', 'a//b', 'a\0b']) {
      const failure = { status: 400 }
      await expect(engine.writeFiles(directory, [file(path, 'x')])).rejects.toMatchObject(failure)
      await expect(engine.writeFiles(directory, [], [path])).rejects.toMatchObject(failure)
      await expect(engine.readFiles(directory, [path])).rejects.toMatchObject(failure)
      const removing = engine.removeEmptyDirectory(directory, [path])
      await expect(removing).rejects.toMatchObject(failure)
    }
  })
}
