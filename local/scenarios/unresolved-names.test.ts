import { createServer } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openOutbound, type Resolved } from '../../adapters/net/outbound.ts'
import { ociSources } from '../../adapters/registry/sources.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { parseOutboundRules } from '../../functions/core/net/outbound-rules.ts'
import create from '../../functions/sources/create.ts'
import get from '../../functions/sources/get.ts'
import lookBySchedule from '../../functions/sources/look-by-schedule.ts'
import { call } from '../harness/call.ts'

const minute = 60_000
const host = 'registry.example.test'
const [first, second] = [`sha256:${'1'.repeat(64)}`, `sha256:${'2'.repeat(64)}`]

/** A registry that says which digest every tag has. */
async function startTags() {
  const tags = { digest: first, requests: [] as string[], port: 0 }
  const server = createServer((request, response) => {
    tags.requests.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'Docker-Content-Digest': tags.digest }).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  tags.port = (server.address() as AddressInfo).port
  return tags
}

/** A source in a registry whose name a resolver knows, unless `names.failure` is a code. */
async function given() {
  const tags = await startTags()
  const names = { failure: undefined as string | undefined, asked: [] as string[] }
  const resolve = async (name: string): Promise<Resolved[]> => {
    names.asked.push(name)
    const { failure: code } = names
    if (code !== undefined) throw Object.assign(new Error(`${code} ${name}`), { code })
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const outbound = openOutbound(parseOutboundRules('127.0.0.1'), resolve)
  // Without TLS, so that the test needs no certificate.
  const { createConnection } = outbound.http
  const https = Object.assign(new HttpsAgent(), { createConnection })
  const ports = memoryPorts({
    sourceReader: ociSources({ ...outbound, https }),
    outbound: { refusal: () => undefined },
  })
  const url = `oci://${host}:${tags.port}/team/shop`
  const body = { name: 'shop', kind: 'oci', url, ref: '1' }
  const made = await call(create, { ports, as: 'admin', body })
  expect(made.status, made.text).toBe(201)
  const shown = async (): Promise<Json> =>
    (await call(get, { ports, as: 'admin', path: { name: 'shop' } })).json
  /** Runs the schedule when the next look is due. Returns the source as it is then. */
  const nextLook = async () => {
    ports.clock.set(Date.parse((await shown()).next_look_at))
    await lookBySchedule.with(ports)()
    return shown()
  }
  return { tags, names, nextLook }
}

/** Returns the minutes from a look to the next one. */
const waitAfter = ({ last_looked_at: last, next_look_at: next }: Json): number =>
  (Date.parse(next) - Date.parse(last)) / minute

/** Whether a wait is as planned: 10 % more or less. */
const isAbout = (wait: number, planned: number) => Math.abs(wait / planned - 1) < 0.101

test.each([
  ['EAI_AGAIN', 'the host name could not be resolved right now'],
  ['ENOTFOUND', 'host name not found'],
])(
  'a source is asked less often while its name does not resolve, and is seen after that: %s',
  async (code, why) => {
    const { tags, names, nextLook } = await given()
    expect(await nextLook()).toMatchObject({ revision: first, last_error: null })
    expect(names.asked).toEqual([host])
    const before = tags.requests.length
    expect(before).toBe(1)

    names.failure = code
    // Twice as long each time, and a period of the source at the most.
    const planned = [1, 2, 4, 5, 5]
    const waits: number[] = []
    for (const _ of planned) {
      const failed = await nextLook()
      expect(failed).toMatchObject({
        revision: first,
        last_error: { reason: 'unreachable', message: expect.stringContaining(why) },
      })
      waits.push(waitAfter(failed))
    }
    expect(waits.map((wait, at) => isAbout(wait, present(planned[at])))).toEqual(
      planned.map(() => true),
    )
    expect(tags.requests.length).toBe(before)

    names.failure = undefined
    tags.digest = second
    const seen = await nextLook()
    expect(seen).toMatchObject({ revision: second, last_error: null })
    expect(isAbout(waitAfter(seen), 5)).toBe(true)
    expect(tags.requests.length).toBe(before + 1)
  },
)
