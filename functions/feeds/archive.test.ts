import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { headersIn } from '../../adapters/testing/tar.ts'
import { feedWorld, type OpenFeed } from '../../local/harness/feeds.ts'
import { givenContainer, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import { noInstallation } from '../core/owners/installation.ts'
import './archive.ts'

async function withFiles(files: Record<string, string>) {
  const made = world()
  const id = await givenContainer(made, 'one')
  present(made.engine.state.containers.get(id)).uploads = files
  const service = await feedWorld({ ports: made.ports })
  onTestFinished(() => service.close(AbortSignal.abort()))
  return { ...made, service, id }
}

async function bytesOf({ ended, messages }: OpenFeed): Promise<Buffer> {
  await ended
  return Buffer.concat(messages.map((message) => Buffer.from(message)))
}

test('101: sends the archive of a directory once, and ends with 1000', async () => {
  const large = 'x'.repeat(9 * 1024 * 1024)
  const { service, engine } = await withFiles({ '/etc/a': 'one', '/etc/big': large })
  let reads = 0
  const read = engine.readFromContainer
  engine.readFromContainer = (...words) => {
    reads += 1
    return read(...words)
  }
  const feed = await service.open('/ws/archive/one?path=/etc', 'operator')
  const headers = await headersIn(await bytesOf(feed))
  expect(headers.map(({ name, size }) => [name, size])).toEqual([
    ['etc/a', 3],
    ['etc/big', large.length],
  ])
  expect(reads).toBe(1)
  expect(await feed.ended).toMatchObject({ code: 1000 })
})

test('1011: an archive that breaks off does not end like a whole one', async () => {
  const { service, engine } = await withFiles({ '/a': 'one' })
  engine.readFromContainer = async function* () {
    yield Buffer.alloc(512)
    throw internalError('The connection was lost')
  }
  const feed = await service.open('/ws/archive/one?path=/a', 'operator')
  expect((await feed.ended).code).toBe(1011)
})

test('409: rejects a part of the service before the upgrade', async () => {
  const { service, engine, id } = await withFiles({ '/a': 'one' })
  engine.own = { ...noInstallation, containers: new Map([[id, 'store']]) }
  const opened = service.open('/ws/archive/one?path=/a', 'operator')
  await expect(opened).rejects.toMatchObject({ status: 409 })
})

test('400, 403, 404: rejects invalid requests before the upgrade', async () => {
  const { service } = await withFiles({ '/a': 'one' })
  const status = (path: string, as: 'operator' | 'viewer' = 'operator') =>
    service.open(path, as).then(
      () => 101,
      (error) => error.status,
    )
  expect(await status('/ws/archive/one?path=a')).toBe(400)
  expect(await status('/ws/archive/one')).toBe(400)
  expect(await status('/ws/archive/one?path=/a', 'viewer')).toBe(403)
  expect(await status('/ws/archive/one?path=/none')).toBe(404)
  expect(await status('/ws/archive/none?path=/a')).toBe(404)
})
