import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '../../functions/core/version.ts'
import { enrolHost, startAgent, untilHostStatus } from '../harness/agent.ts'
import { freePort } from '../harness/free-port.ts'
import { api, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'

const place = newPlace({ SERVICE_AGENT_PORT: String(await freePort()) })
const earlier = '0.0.1'
let running: Running
let token: string

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
})

afterAll(() => place.remove())

interface HostView {
  id: string
  agent: { version: string; upgrade: { state: string } }
}

/** Starts an agent of an earlier version, and starts it again whenever it ends, as systemd does. */
async function earlierAgent(name: string) {
  const { id, directory } = await enrolHost(place, running, token, { name })
  const path = join(directory, 'agent.mjs')
  const program = readFileSync('dist/agent.js', 'utf8')
  writeFileSync(path, program.replace(`version:"${version}"`, `version:"${earlier}"`))
  const systemd = { INVOCATION_ID: 'test' }
  let starts = 0
  const run = () => {
    starts += 1
    const agent = startAgent(place, directory, systemd, [], path)
    agent.child.once('exit', (code) => code === 0 && run())
  }
  run()
  await untilHostStatus(running, token, id, 'online')
  return { id, path, starts: () => starts }
}

const hosts = async (): Promise<HostView[]> => (await api(running, 'GET', '/hosts', { token })).json

test('agents try the version of the service, and run it from then on', async () => {
  const agents = [await earlierAgent('one'), await earlierAgent('two')]
  const ids = agents.map(({ id }) => id)
  const agentsOf = (list: HostView[]) =>
    list.filter(({ id }) => ids.includes(id)).map(({ agent }) => agent)
  expect(agentsOf(await hosts())).toMatchObject(
    ids.map(() => ({ version: earlier, is_outdated: true, upgrade: null })),
  )
  const begun = await api(running, 'POST', '/hosts/upgrade', { token, body: {} })
  expect([begun.status, begun.json.agents]).toEqual([200, 2])
  const over = await until(hosts, (list) =>
    agentsOf(list).every(({ upgrade }) => !['waiting', 'running'].includes(upgrade.state)),
  )
  expect(agentsOf(over)).toMatchObject(
    ids.map(() => ({ version, is_outdated: false, upgrade: { state: 'succeeded', error: null } })),
  )
  for (const { id, path, starts } of agents) {
    await untilHostStatus(running, token, id, 'online')
    expect(readFileSync(path).equals(readFileSync('dist/agent.js'))).toBe(true)
    const before = readFileSync(path.replace(/mjs$/, 'before.mjs'), 'utf8')
    expect(before.includes(`version:"${earlier}"`)).toBe(true)
    expect(starts()).toBe(2)
    const list = await api(running, 'GET', `/containers?host=${id}`, { token })
    expect(list.status).toBe(200)
  }
})
