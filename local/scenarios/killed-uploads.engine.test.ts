import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partBytes } from '../../functions/core/records/upload.ts'
import { bundleOf } from '../harness/bundle.ts'
import {
  api,
  logIn,
  newPlace,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'

const megabyte = 1024 * 1024
const place = newPlace()
/**
 * How long the completion went on when the service is killed, in milliseconds. One account has at
 * most four open uploads.
 */
const moments = [30, 200, 600, 1500]
const compose = 'services: {web: {image: "busybox:latest"}}\n'

let running: Running
let token: string

const call = (method: string, path: string, body?: unknown) =>
  api(running, method, path, { token, body })
const digestOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
})
afterAll(() => place.remove())

/** Creates a stack and sends the parts of a bundle of these files, but does not complete it. */
async function sent(stack: string, files: Record<string, string | Buffer>) {
  expect((await call('POST', '/stacks', { name: stack, compose })).status).toBe(201)
  const bundle = await bundleOf(files)
  const begun = await call('POST', `/stacks/${stack}/uploads`, { size: bundle.length, revision: 1 })
  const path = `/stacks/${stack}/uploads/${begun.json.upload_id}`
  for (let n = 0; n * partBytes < bundle.length; n += 1) {
    const data = bundle.subarray(n * partBytes, (n + 1) * partBytes).toString('base64')
    expect((await call('PUT', `${path}/parts/${n}`, { data })).status).toBe(204)
  }
  const sha256 = digestOf(bundle)
  return { complete: () => call('POST', `${path}/complete`, { sha256, remove: ['old'] }) }
}

/** Returns path → digest of the files of a stack. */
async function filesOf(stack: string): Promise<Record<string, string>> {
  const { json } = await call('GET', `/stacks/${stack}/files`)
  return Object.fromEntries(
    json.map(({ path, digest }: { path: string; digest: string }) => [path, digest]),
  )
}

test('a kill while an upload is completed leaves all of it or nothing, and it can be repeated', async () => {
  const files = (index: number): Record<string, string | Buffer> => ({
    'compose.yaml': `${compose}# ${index}\n`,
    ...Object.fromEntries(
      Array.from({ length: 24 }, (_, at) => [`data/${at}.bin`, randomBytes(megabyte / 2)]),
    ),
  })
  const works = []
  for (const [index, moment] of moments.entries()) {
    const wanted = files(index)
    works.push({ stack: `kill${index}`, moment, wanted, ...(await sent(`kill${index}`, wanted)) })
  }
  const longest = Math.max(...moments)
  const begun = works.map(async ({ moment, complete }) => {
    await pause(longest - moment)
    // The kill ends the call.
    await complete().catch(() => {})
  })
  await pause(longest)
  running.child.kill('SIGKILL')
  await running.ended
  await Promise.all(begun)
  running = await startIn(place)
  token = await logIn(place, running)
  for (const { stack, wanted, complete } of works) {
    const digests = Object.entries(wanted).map(([path, content]) => [path, digestOf(content)])
    const all = Object.fromEntries(digests)
    const { revision } = (await call('GET', `/stacks/${stack}`)).json
    expect([1, 2]).toContain(revision)
    expect(await filesOf(stack)).toEqual(
      revision === 2 ? all : { 'compose.yaml': digestOf(compose) },
    )
    const done = await until(complete, ({ status }) => status !== 500)
    expect([done.status, done.json.revision]).toEqual([200, 2])
    expect(await filesOf(stack)).toEqual(all)
    const read = await call('GET', `/stacks/${stack}/file?path=data/7.bin`)
    expect(digestOf(Buffer.from(read.json.base64, 'base64'))).toBe(all['data/7.bin'])
  }
})

test('an upload of 60 MiB is completed', async () => {
  const content = Array.from({ length: 5 }, () => randomBytes(12 * megabyte))
  const files = Object.fromEntries(content.map((bytes, at) => [`${at}.bin`, bytes]))
  const { complete } = await sent('large', files)
  const done = await complete()
  expect([done.status, done.json.revision]).toEqual([200, 2])
  const digests = content.map((bytes, at) => [`${at}.bin`, digestOf(bytes)])
  expect(await filesOf('large')).toMatchObject(Object.fromEntries(digests))
})
