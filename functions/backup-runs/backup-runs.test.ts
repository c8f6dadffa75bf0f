import { expect, test } from 'vitest'
import { backupWorld, givenJob, runJob } from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import get from './get.ts'
import list from './list.ts'

test('200: lists runs newest first, of all jobs or of one', async () => {
  const here = await backupWorld()
  const ids: string[] = []
  for (const name of ['one', 'two']) {
    here.ports.clock.advance(1000)
    ids.push((await runJob(here, await givenJob(here, { name }))).jobId)
  }
  const jobsOf = async (query: object) => {
    const { status, json } = await call(list, {
      ports: here.ports,
      as: 'viewer',
      query: { ...query },
    })
    expect(status).toBe(200)
    return json.map(({ job_name }: { job_name: string }) => job_name)
  }
  expect(await jobsOf({})).toEqual(['two', 'one'])
  expect(await jobsOf({ job_id: ids[0] })).toEqual(['one'])
  expect(await jobsOf({ job_id: 'none' })).toEqual([])
  const now = new Date(here.ports.clock.now()).toISOString()
  expect(await jobsOf({ since: now })).toEqual(['two'])
  expect(await jobsOf({ until: now })).toEqual(['one'])
  const [{ id: before }] = (await call(list, { ports: here.ports, as: 'viewer' })).json
  expect(await jobsOf({ before })).toEqual(['one'])
  expect(await jobsOf({ before, job_id: ids[1] })).toEqual([])
  expect(await jobsOf({ status: 'succeeded' })).toEqual(['two', 'one'])
  expect(await jobsOf({ status: 'failed' })).toEqual([])
})

test('200: shows the contents and the target of a run without secrets', async () => {
  const here = await backupWorld()
  const target = { kind: 's3', bucket: 'backups', access_key_id: 'key', secret_access_key: 'hush' }
  const { id } = await runJob(here, await givenJob(here, { target }))
  const { status, json, text } = await call(get, { ports: here.ports, as: 'viewer', path: { id } })
  expect(status).toBe(200)
  expect(json).toMatchObject({
    id,
    kind: 'backup',
    status: 'succeeded',
    restores: null,
    location: `s3://backups/nightly/${id}`,
    progress: { part: null, done: 2, parts: 2 },
  })
  expect(json.progress.bytes).toBe(json.contents[0].bytes + json.contents[1].bytes)
  expect(text).not.toContain('hush')
})

test('200 and 403: hides runs of hosts out of scope and refuses access to them', async () => {
  const here = await backupWorld()
  const { id } = await runJob(here, await givenJob(here))
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect((await call(list, { ports: here.ports, as: limited })).json).toEqual([])
  expect((await call(get, { ports: here.ports, as: limited, path: { id } })).status).toBe(403)
})
