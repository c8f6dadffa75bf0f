import { expect, test } from 'vitest'
import {
  SourceFailure,
  type SourceReader,
  type SourceTree,
} from '../../../functions/core/ports/source-reader.ts'
import type { SourceAddress } from '../../../functions/core/records/source-address.ts'

/** A source that has what the test publishes. */
export interface SourceReaderWorld {
  reader: SourceReader
  source: SourceAddress
  /** A revision that the source never had. */
  unknown: string
  /** Makes these files, by their paths, all that the source has. Returns the revision. */
  publish(files: Readonly<Record<string, string>>): Promise<string>
}

const first = { 'compose.yaml': 'services: {}\n', 'a.env': 'A=1\n' }
const second = { 'compose.yaml': 'services: {}\n', 'a.env': 'A=2\n' }
/** The size of the first files, exactly. */
const exact = { bytes: 17, fileBytes: 13, files: 2 }
const roomy = { bytes: 1_000_000, fileBytes: 100_000, files: 100 }
const all = { paths: [''], limits: roomy }
const never = () => new AbortController().signal

/** Returns the files below a path, as texts. */
async function textsOf(tree: SourceTree, path = '') {
  const found: Record<string, string> = {}
  for await (const file of tree.files(path)) {
    found[file.path] = 'link' in file ? `-> ${file.link}` : Buffer.from(file.content).toString()
  }
  return found
}

/** Returns what the work returns. The tree is closed afterwards. */
async function withTree<T>(
  { reader, source }: SourceReaderWorld,
  revision: string,
  paths: readonly string[],
  work: (tree: SourceTree) => T | Promise<T>,
): Promise<T> {
  const tree = await reader.open(source, revision, { paths, limits: roomy }, never())
  try {
    return await work(tree)
  } finally {
    await tree.close()
  }
}

async function problemOf(work: Promise<unknown>): Promise<unknown> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  return failure instanceof SourceFailure ? failure.problem : failure
}

/** Tests the port `SourceReader` with what every kind of source has: files at its top. */
export function sourceReaderContract(newWorld: () => Promise<SourceReaderWorld>) {
  test('a look returns the revision that was published last', async () => {
    const { reader, source, publish } = await newWorld()
    const one = await publish(first)
    expect(await reader.look(source, never())).toEqual({ revision: one })
    const two = await publish(second)
    expect(two).not.toBe(one)
    expect(await reader.look(source, never())).toEqual({ revision: two })
  })

  test('a reference or a revision that is not there is named', async () => {
    const { reader, source, unknown, publish } = await newWorld()
    await publish(first)
    expect(await problemOf(reader.look({ ...source, ref: 'none' }, never()))).toBe('no-such-ref')
    const problem = await problemOf(reader.open(source, unknown, all, never()))
    // A server of git does not say whether it never had a commit, or has it no more.
    expect(['no-such-ref', 'unreachable']).toContain(problem)
  })

  test('a tree has its revision, the compose file, and the files, as often as they are read', async () => {
    const world = await newWorld()
    const revision = await world.publish(first)
    await withTree(world, revision, [''], async (tree) => {
      expect(tree.revision).toBe(revision)
      expect(tree.folders()).toEqual([{ path: '', composeFile: 'compose.yaml' }])
      expect([await textsOf(tree), await textsOf(tree)]).toEqual([first, first])
      for await (const file of tree.files('')) expect(file).toMatchObject({ mode: 0o644 })
      await tree.close()
    })
  })

  test('an earlier revision can be read', async () => {
    const world = await newWorld()
    const one = await world.publish(first)
    await world.publish(second)
    expect(await withTree(world, one, [''], (tree) => textsOf(tree))).toEqual(first)
  })

  test('equal content has an equal ID, and other content another one', async () => {
    const world = await newWorld()
    const idOf = (revision: string, paths: string[] = ['']) =>
      withTree(world, revision, paths, (tree) => tree.idOf(''))
    const one = await idOf(await world.publish(first))
    const two = await idOf(await world.publish(second))
    const again = await world.publish(first)
    expect([typeof one, await idOf(again), await idOf(again, [])]).toEqual(['string', one, one])
    expect(two).not.toBe(one)
  })

  test('a path that is missing has no ID and no files', async () => {
    const world = await newWorld()
    const revision = await world.publish(first)
    for (const paths of [[''], ['none'], ['', 'none']]) {
      await withTree(world, revision, paths, async (tree) => {
        expect([tree.idOf('none'), await textsOf(tree, 'none')]).toEqual([undefined, {}])
      })
    }
  })

  test('files up to the limits are read, and more are refused', async () => {
    const world = await newWorld()
    const revision = await world.publish(first)
    const open = (limits: typeof exact) =>
      world.reader.open(world.source, revision, { paths: [''], limits }, never())
    for (const name of ['bytes', 'fileBytes', 'files'] as const) {
      const small = { ...exact, [name]: exact[name] - 1 }
      expect([name, await problemOf(open(small))]).toEqual([name, 'too-large'])
    }
    const tree = await open(exact)
    expect(await textsOf(tree)).toEqual(first)
    await tree.close()
  })

  test('an abort ends a look, an open and reading, with its reason', async () => {
    const { reader, source, publish } = await newWorld()
    const revision = await publish(first)
    const reason = new Error('the test stopped it')
    const gone = AbortSignal.abort(reason)
    await expect(reader.look(source, gone)).rejects.toBe(reason)
    await expect(reader.open(source, revision, all, gone)).rejects.toBe(reason)
    const stop = new AbortController()
    const tree = await reader.open(source, revision, all, stop.signal)
    stop.abort(reason)
    await expect(textsOf(tree)).rejects.toBe(reason)
    await tree.close()
    // It says nothing of the next one.
    expect(await reader.look(source, never())).toEqual({ revision })
  })
}

const estate = {
  'apps/shop/compose.yaml': 'services: {}\n',
  'apps/shop/config/a.conf': 'a\n',
  'apps/shopping/b.conf': 'b\n',
  'mail/docker-compose.yml': 'services: {}\n',
}

/** Tests the port `SourceReader` with sources that have folders. */
export function sourceFoldersContract(newWorld: () => Promise<SourceReaderWorld>) {
  test('lists the folders with a compose file, and reads the files of one by their paths in it', async () => {
    const world = await newWorld()
    const revision = await world.publish(estate)
    await withTree(world, revision, ['apps/shop'], async (tree) => {
      expect(tree.folders()).toEqual([
        { path: 'apps/shop', composeFile: 'compose.yaml' },
        { path: 'mail', composeFile: 'docker-compose.yml' },
      ])
      expect(await textsOf(tree, 'apps/shop')).toEqual({
        'compose.yaml': 'services: {}\n',
        'config/a.conf': 'a\n',
      })
      expect(await textsOf(tree, 'apps/shop/config')).toEqual({ 'a.conf': 'a\n' })
    })
  })

  test('tells the ID of a folder that is not read, but yields nothing of it', async () => {
    const world = await newWorld()
    const revision = await world.publish(estate)
    await withTree(world, revision, ['mail'], async (tree) => {
      expect(tree.idOf('apps/shop')).toEqual(expect.any(String))
      expect([await textsOf(tree, 'apps/shop'), await textsOf(tree, 'apps')]).toEqual([{}, {}])
    })
  })

  test('a change changes the IDs of the folders above it only', async () => {
    const world = await newWorld()
    const idsOf = (revision: string) =>
      withTree(world, revision, [], (tree) =>
        ['', 'apps', 'apps/shop', 'apps/shopping', 'mail'].map((path) => tree.idOf(path)),
      )
    const before = await idsOf(await world.publish(estate))
    const after = await idsOf(await world.publish({ ...estate, 'apps/shop/config/a.conf': 'A\n' }))
    const isSame = after.map((id, index) => id === before[index])
    expect(isSame).toEqual([false, false, false, true, true])
  })

  test('limits are those of each folder that is read', async () => {
    const world = await newWorld()
    const revision = await world.publish(estate)
    const open = (paths: string[], limits: typeof roomy) =>
      world.reader.open(world.source, revision, { paths, limits }, never())
    const files = { ...roomy, files: 2 }
    const bytes = { ...roomy, bytes: 15 }
    for (const limits of [files, bytes]) {
      await (await open(['apps/shop', 'mail'], limits)).close()
      expect(await problemOf(open(['mail', ''], limits))).toBe('too-large')
    }
  })
}
