import { createHash, randomBytes } from 'node:crypto'
import { ListMultipartUploadsCommand, ListPartsCommand } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { S3Target } from '../../functions/core/records/backup-target.ts'
import { type FaultProxy, startFaultProxy } from '../../local/harness/fault-proxy.ts'
import { maxReadAhead, megabytes } from '../../local/harness/megabytes.ts'
import { loopbackDialer } from '../../local/harness/outbound.ts'
import { type S3Server, startS3 } from '../../local/harness/s3-server.ts'
import { openOutbound } from '../net/outbound.ts'
import {
  backupTargetsContract,
  inPieces,
  neverAborted,
  readAll,
} from '../testing/contract/backup-targets.ts'
import { present } from '../testing/present.ts'
import { openS3 } from './s3.ts'
import { s3Client } from './s3-client.ts'
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
/** Opens the target over the line that can fail. */
const openByLine = (prefix: string, options: Parameters<typeof openS3>[2] = {}) =>
  open({ prefix, endpoint: `http://127.0.0.1:${line.port}` }, options)
const text = (content: string) => inPieces(Buffer.from(content))

describe('a bucket of OpenStack Swift as target', () => {
  // Several pages of listing with fewer objects than the default page size takes.
  backupTargetsContract(() => open({}, { page: 20 }), { many: 50 })
})

test('reports a wrong key, bucket or address without the secret', async () => {
  const cases: [Partial<S3Target>, string][] = [
    [{ secretAccessKey: 'a-wrong-secret' }, 'rejects the access key'],
    [{ accessKeyId: 'test:nobody' }, 'rejects the access key'],
    [{ bucket: 'no-such-bucket' }, 'has no bucket no-such-bucket'],
    [{ endpoint: 'http://127.0.0.1:1' }, 'is unreachable or closed the connection (ECONNREFUSED)'],
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

test('422: rejects local addresses unless the configuration allows them', async () => {
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

/**
 * Returns the sizes of the parts of the only upload below a prefix that is not complete, or none if
 * there is no such upload.
 */
async function partSizes(prefix: string): Promise<number[]> {
  const client = s3Client(server.target(), loopbackDialer(), 5_000)
  const { bucket } = server.target()
  const listing = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix })
  const { Uploads: [upload] = [] } = await client.send(listing)
  if (!upload) return []
  const where = { Bucket: bucket, Key: upload.Key, UploadId: upload.UploadId }
  const { Parts = [] } = await client.send(new ListPartsCommand(where))
  client.destroy()
  return Parts.map(({ Size }) => present(Size))
}

test('lists an unfinished upload and aborts it when removed', async () => {
  const prefix = fresh()
  const place = await openByLine(prefix)
  const direct = await open({ prefix })
  async function* content() {
    yield randomBytes(partBytes)
    yield randomBytes(partBytes)
    line.refuse()
    yield randomBytes(partBytes)
    yield randomBytes(partBytes)
  }
  // From here on neither a part nor the end of the upload arrives.
  await expect(place.put('job/run/one', content(), neverAborted())).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining('is unreachable or closed the connection'),
  })
  await expect(direct.get('job/run/one')).rejects.toMatchObject({ status: 404 })
  expect(await direct.list('job/run')).toEqual([{ name: 'job/run/one', bytes: 0 }])
  // The second part may still be on its way when the line is refused.
  const sizes = await partSizes(prefix)
  expect(sizes.length).toBeGreaterThan(0)
  expect(new Set(sizes)).toEqual(new Set([partBytes]))
  await direct.remove(['job/run/one'])
  expect(await direct.list('job/run')).toEqual([])
  expect(await partSizes(prefix)).toEqual([])
})

test('500: the server stops responding during a read or a write', async () => {
  const prefix = fresh()
  const direct = await open({ prefix })
  const place = await openByLine(prefix, { idle: 2_000 })
  const bytes = randomBytes(partBytes + 1_000_000)
  await direct.put('job/run/one', inPieces(bytes), neverAborted())
  line.freezeAfter(1_000_000)
  const message = expect.stringContaining('does not respond: no data for 2 s')
  const put = place.put('job/run/two', inPieces(bytes), neverAborted())
  await expect(put).rejects.toMatchObject({ status: 500, message })
  line.mend()
  const read = async () => {
    for await (const _ of await place.get('job/run/one')) line.freezeAfter(0)
  }
  await expect(read()).rejects.toMatchObject({ status: 500, message })
})

test('fails when a download ends early', async () => {
  const place = await openByLine(fresh())
  await place.put('job/run/one', inPieces(randomBytes(30_000_000)), neverAborted())
  const stop = new AbortController()
  const read = async () => {
    for await (const _ of await place.get('job/run/one', { signal: stop.signal })) line.reset()
  }
  await expect(read()).rejects.toMatchObject({ status: 500 })
})

test('waits for a slow server without reading ahead, and can be stopped', async () => {
  const place = await openByLine(fresh())
  line.rate(40_000_000)
  const most = await maxReadAhead(line, 100, (content) =>
    place.put('job/run/one', content, neverAborted()),
  )
  // Two parts being uploaded and one being filled.
  expect(most).toBeLessThan(3.5 * partBytes)
  line.rate(100_000)
  const put = place.put('job/run/two', megabytes(30), AbortSignal.timeout(300))
  await expect(put).rejects.toThrow(/timeout/)
  line.mend()
  expect(await place.list('job')).toEqual([{ name: 'job/run/one', bytes: 100_000_000 }])
})

test('an object of many parts is read back byte by byte', async () => {
  const place = await open()
  const put = createHash('sha256')
  async function* content() {
    for (let piece = 0; piece < 10; piece++) {
      const bytes = randomBytes(partBytes / 2 + 1)
      put.update(bytes)
      yield bytes
    }
  }
  await place.put('job/run/one', content(), neverAborted())
  const read = createHash('sha256')
  for await (const chunk of await place.get('job/run/one')) read.update(chunk)
  expect(read.digest('hex')).toBe(put.digest('hex'))
  await place.close()
})

test('objects of 220 GiB fit into the parts that S3 takes', () => {
  expect((partBytes * 10_000) / 1024 ** 3).toBeGreaterThan(220)
})

test('the displayed address contains no secret', async () => {
  const targets = backupTargets({ directory: '/tmp', dialer: loopbackDialer() })
  expect(targets.location(server.target({ prefix: 'all' }), 'job/run')).toBe(
    's3://backups/all/job/run',
  )
  const place = await open()
  await place.put('job/run/one', text('x'), neverAborted())
  expect((await readAll(await place.get('job/run/one'))).toString()).toBe('x')
  await place.close()
})
