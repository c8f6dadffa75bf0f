import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { S3Target } from '../../functions/core/backups/target.ts'
import { type FaultProxy, startFaultProxy } from '../../local/harness/fault-proxy.ts'
import { megabytes, mostAhead } from '../../local/harness/megabytes.ts'
import { loopbackDialer } from '../../local/harness/outbound.ts'
import { type S3Server, startS3 } from '../../local/harness/s3-server.ts'
import { backupTargetsContract, inPieces, never, whole } from '../contract/backup-targets.ts'
import { openOutbound } from '../net/outbound.ts'
import { openS3 } from './s3.ts'
import { partBytes } from './s3-put.ts'
import { backupTargets } from './targets.ts'

let server: S3Server
let line: FaultProxy
beforeAll(async () => {
  server = await startS3()
  line = await startFaultProxy(server.port)
})
afterEach(() => line.mend())
afterAll(async () => {
  await line.close()
  await server.close()
})

const fresh = () => randomBytes(6).toString('hex')
const open = (changes: Partial<S3Target> = {}, options: Parameters<typeof openS3>[2] = {}) =>
  openS3(server.target({ prefix: fresh(), ...changes }), loopbackDialer(), options)
/** Opens the target over the line that can fail, with a short idle timeout. */
const openByLine = (prefix: string) =>
  open({ prefix, endpoint: `http://127.0.0.1:${line.port}` }, { idle: 2_000 })
const text = (content: string) => inPieces(Buffer.from(content))

describe('a bucket of OpenStack Swift as target', () => {
  // Several pages of listing with fewer objects than the default page size takes.
  backupTargetsContract(() => open({}, { page: 20 }), { many: 50 })
})

test('a wrong key, bucket or address is told, and no secret with it', async () => {
  const cases: [Partial<S3Target>, string][] = [
    [{ secretAccessKey: 'a-wrong-secret' }, 'refuses the access key'],
    [{ accessKeyId: 'test:nobody' }, 'refuses the access key'],
    [{ bucket: 'no-such-bucket' }, 'has no bucket no-such-bucket'],
    [{ endpoint: 'http://127.0.0.1:1' }, 'cannot be reached or broke off (ECONNREFUSED)'],
  ]
  for (const [changes, message] of cases) {
    const opening = open(changes)
    await expect(opening, message).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining(message),
    })
    const error = (await opening.catch((one) => one)) as Error
    expect(error.message).not.toContain('secret')
    expect(error.message).not.toContain(server.target().secretAccessKey)
  }
})

test('422: addresses that must not be reached, unless the configuration allows them', async () => {
  const targets = backupTargets({ directory: '/tmp', dialer: openOutbound([]) })
  for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '[::1]', '[::ffff:127.0.0.1]']) {
    const target = server.target({ endpoint: `http://${host}:${server.port}` })
    await expect(targets.open(target), host).rejects.toMatchObject({ status: 422 })
  }
  // A name that resolves there is refused when it is dialed.
  const dialer = openOutbound([], async () => [{ address: '127.0.0.1', family: 4 }])
  const target = server.target({ endpoint: `http://objects.example:${server.port}` })
  await expect(openS3(target, dialer)).rejects.toMatchObject({ status: 422 })
})

test('an upload that nobody finished is listed, and is gone when it is removed', async () => {
  const prefix = fresh()
  const place = await openByLine(prefix)
  const direct = await open({ prefix })
  async function* content() {
    yield randomBytes(partBytes(1))
    yield randomBytes(partBytes(1))
    line.refuse()
    yield randomBytes(partBytes(1))
    yield randomBytes(partBytes(1))
  }
  // From here on neither a part nor the end of the upload arrives.
  await expect(place.put('job/run/one', content(), never())).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining('cannot be reached or broke off'),
  })
  await expect(direct.get('job/run/one')).rejects.toMatchObject({ status: 404 })
  expect(await direct.list('job/run')).toEqual([{ name: 'job/run/one', bytes: 0 }])
  await direct.remove(['job/run/one'])
  expect(await direct.list('job/run')).toEqual([])
})

test('a server that falls silent while it is written to or read from fails with that text', async () => {
  const prefix = fresh()
  const place = await openByLine(prefix)
  const bytes = randomBytes(12_000_000)
  await place.put('job/run/one', inPieces(bytes), never())
  line.freezeAfter(1_000_000)
  const message = expect.stringContaining('does not answer: nothing came for 2 s')
  const put = place.put('job/run/two', inPieces(bytes), never())
  await expect(put).rejects.toMatchObject({ status: 500, message })
  line.mend()
  const read = async () => {
    for await (const _ of await place.get('job/run/one')) line.freezeAfter(0)
  }
  await expect(read()).rejects.toMatchObject({ status: 500, message })
}, 60_000)

test('a download that is cut is an error, not an end', async () => {
  const place = await openByLine(fresh())
  await place.put('job/run/one', inPieces(randomBytes(30_000_000)), never())
  const stop = new AbortController()
  const read = async () => {
    for await (const _ of await place.get('job/run/one', { signal: stop.signal })) line.reset()
  }
  await expect(read()).rejects.toMatchObject({ status: 500 })
})

test('a slow server is waited for, the source is not read ahead of it, and it can be stopped', async () => {
  const place = await openByLine(fresh())
  line.rate(8_000_000)
  const most = await mostAhead(line, 30, (content) => place.put('job/run/one', content, never()))
  // Two parts being uploaded and one being filled, 8 MiB each.
  expect(most).toBeLessThan(4 * partBytes(1))
  line.rate(100_000)
  const put = place.put('job/run/two', megabytes(30), AbortSignal.timeout(300))
  await expect(put).rejects.toThrow(/timeout/)
  line.mend()
  expect(await place.list('job')).toEqual([{ name: 'job/run/one', bytes: 30_000_000 }])
}, 60_000)

test('parts grow, so that memory is small for small objects and large ones fit', () => {
  let bytes = 0
  for (let number = 1; number <= 10_000; number++) bytes += partBytes(number)
  expect(partBytes(1)).toBe(8 * 1024 ** 2)
  expect(bytes / 1024 ** 3).toBeGreaterThan(200)
})

test('the address for people has no secret', async () => {
  const targets = backupTargets({ directory: '/tmp', dialer: loopbackDialer() })
  expect(targets.location(server.target({ prefix: 'all' }), 'job/run')).toBe(
    's3://backups/all/job/run',
  )
  const place = await open()
  await place.put('job/run/one', text('x'), never())
  expect((await whole(await place.get('job/run/one'))).toString()).toBe('x')
  await place.close()
})
