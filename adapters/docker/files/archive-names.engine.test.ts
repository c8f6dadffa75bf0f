import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkArchive } from '../../../functions/core/container-files/check-archive.ts'
import fc from '../../../local/harness/properties.ts'
import { docker } from '../../testing/docker.ts'
import { type Entry, headersIn, packed } from '../../testing/tar.ts'
import { dockerEngine } from '../engine.ts'
import { engineClient } from '../transport/client.ts'
import { transportFrom } from '../transport/connect.ts'

const part = fc.constantFrom(
  ...['a', 'b', '.', '..', '', ' ', 'a b', '.a', '..a', 'a\\b', 'a\nb', 'ä', 'a\u0308', '😀'],
  ...['-', '--', '~', '*', '$A', '%2e%2e', '.wh.a', '.wh..wh..opq', 'x'.repeat(101)],
)
const names = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
const entries: fc.Arbitrary<Entry> = fc.oneof(
  names.map((name) => ({ name, text: 'x' })),
  names.map((name) => ({ name: `${name}/`, type: 'directory' as const })),
  fc
    .tuple(names, fc.constantFrom('a', '/etc', '..', '../..', '/', 'b/../..'))
    .map(([name, linkname]) => ({ name, linkname, type: 'symlink' as const })),
)

const link = fc.constantFrom('/etc', '/', '..', 'b')
const archives: fc.Arbitrary<Entry[]> = fc.oneof(
  fc.array(entries, { minLength: 1, maxLength: 3 }),
  fc.tuple(link, names, fc.constantFrom('a', 'a/', './a')).map(([linkname, name, from]) => [
    { name: from, linkname, type: 'symlink' as const },
    { name: `a/${name}`, text: 'x' },
  ]),
)

test('the Engine writes the entries of an archive to the paths that the service read', async () => {
  const transport = transportFrom(process.env)
  const engine = dockerEngine({ transport, host: 'local', stacksDirectory: '/none' })
  const client = engineClient(transport, 'local')
  const container = `names-${randomBytes(4).toString('hex')}`
  docker('create', '--name', container, 'busybox', 'true')
  onTestFinished(async () => {
    docker('rm', '-f', container)
    await engine.close()
    client.close()
  })
  /** Returns the paths that were added to the container or changed in it. */
  const changes = async () => {
    const path = `/containers/${container}/changes`
    const found = await client.json<{ Path: string }[] | null>({ method: 'GET', path })
    return (found ?? []).map(({ Path }) => Path)
  }
  const places = Array.from({ length: 40 }, (_, index) => `/names/${index}`)
  await engine.writeIntoContainer(
    container,
    '/',
    await packed(...places.map((place) => ({ name: place.slice(1), type: 'directory' as const }))),
  )
  let before = await changes()
  let written = 0
  await fc.assert(
    fc.asyncProperty(archives, async (all) => {
      const checked = await checkArchive(await packed(...all)).catch(() => undefined)
      const place = checked && places.pop()
      if (!checked || place === undefined) return
      const writing = engine.writeIntoContainer(container, place, checked)
      const isWritten = await writing.then(
        () => true,
        () => false,
      )
      const after = await changes()
      const changed = after.filter((path) => !before.includes(path))
      before = after
      const read = (await headersIn(checked)).map(({ name }) => posix.join(place, name))
      const paths = read.map((path) => path.replace(/\/$/, ''))
      expect(changed.filter((path) => !isAbove(path, paths))).toEqual([])
      if (!isWritten) return
      written += 1
      expect([place, ...changed]).toEqual(expect.arrayContaining(paths))
    }),
    { numRuns: 100, endOnFailure: true },
  )
  // Some archives are accepted, so the checks above say something.
  expect(written).toBeGreaterThan(10)
})

/** Returns whether a path is one of these, or a directory above one. */
const isAbove = (path: string, paths: readonly string[]) =>
  paths.some((one) => one === path || one.startsWith(`${path}/`))
