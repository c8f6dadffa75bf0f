import { expect, test } from 'vitest'
import type { Json } from '../../../../adapters/testing/json.ts'
import { present } from '../../../../adapters/testing/present.ts'
import { call } from '../../../../local/harness/call.ts'
import { givenJob, jobPath, jobWorld, olga, oneOffs } from '../../../../local/harness/jobs.ts'
import type { World } from '../../../../local/harness/world.ts'
import { logBytesMax } from '../../../core/stack-jobs/limits.ts'
import run from '../run.ts'
import get from './get.ts'
import list from './list.ts'

const waits = async ({ ports }: World): Promise<Json> => {
  const { json } = await call(run, { ports, as: olga, path: jobPath, query: { wait: true } })
  ports.clock.advance(1)
  return json
}
const lists = ({ ports }: World, query = {}) =>
  call(list, { ports, as: 'viewer', path: jobPath, query })
const gets = ({ ports }: World, id: string, query = {}) =>
  call(get, { ports, as: 'viewer', path: { ...jobPath, id }, query })

test('200: the runs of a job, the newest first, and one of them', async () => {
  const here = await jobWorld()
  await givenJob(here)
  expect((await lists(here)).json).toEqual([])
  const [first, second] = [await waits(here), await waits(here)]
  const { status, json } = await lists(here)
  expect([status, json]).toEqual([200, [second, first]])
  const one = await gets(here, first.id)
  expect([one.status, one.json]).toEqual([200, first])
})

test('200: a log has its last lines, and says that it was cut', async () => {
  const here = await jobWorld()
  await givenJob(here, { command: ['sh', '-c', 'echo a; echo b; echo c'] })
  const { id } = await waits(here)
  const cut = { log: 'b\nc\n', log_cut: true }
  expect((await lists(here, { tail: 2 })).json).toMatchObject([cut])
  expect((await gets(here, id, { tail: 2 })).json).toMatchObject(cut)
  expect((await gets(here, id, { tail: 0 })).json).toMatchObject({ log: '', log_cut: true })
  expect((await gets(here, id)).json).toMatchObject({ log: 'a\nb\nc\n', log_cut: false })
})

test('200: a long log is bounded', async () => {
  const here = await jobWorld()
  const { ports, engine } = here
  await givenJob(here, { command: ['sleep', '60'] })
  const { json } = await call(run, { ports, as: olga, path: jobPath })
  await expect.poll(() => oneOffs(here)[0]?.state).toBe('running')
  const { id, logs } = present(oneOffs(here)[0])
  for (let n = 0; n < 50; n += 1) {
    logs.push({ stream: 'stdout', time: engine.state.now(), line: `${n} ${'x'.repeat(1000)}` })
  }
  await engine.act(id, { kind: 'kill' })
  await ports.background.settled()
  const { log, log_cut } = (await gets(here, json.id)).json
  expect([log_cut, log.startsWith('34 xx'), log.endsWith('x\n')]).toEqual([true, true, true])
  expect(Buffer.byteLength(log)).toBeLessThanOrEqual(logBytesMax)
})

test('200: wait_seconds waits for the end of a run', async () => {
  const here = await jobWorld()
  const { ports, engine } = here
  await givenJob(here, { command: ['sleep', '60'] })
  const { json } = await call(run, { ports, as: olga, path: jobPath })
  await expect.poll(() => oneOffs(here)[0]?.state).toBe('running')
  expect((await gets(here, json.id)).json).toMatchObject({ status: 'running', log: null })
  const waiting = gets(here, json.id, { wait_seconds: 30 })
  await engine.act(present(oneOffs(here)[0]).id, { kind: 'kill' })
  const ended = await waiting
  expect([ended.status, ended.json.status]).toEqual([200, 'failed'])
  await ports.background.settled()
})

test('404: no such stack, job or run', async () => {
  const here = await jobWorld()
  const { ports } = here
  expect((await lists(here)).status).toBe(404)
  await givenJob(here)
  expect((await gets(here, 'none')).status).toBe(404)
  const path = { name: 'none', job: 'nightly' }
  expect((await call(list, { ports, as: 'viewer', path })).status).toBe(404)
  expect((await call(get, { ports, as: 'viewer', path: { ...path, id: 'a' } })).status).toBe(404)
})
