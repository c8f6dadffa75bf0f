import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { enrolHost, startAgent, untilHostStatus } from '../harness/agent.ts'
import { type Machine, startMachine } from '../harness/machine.ts'
import { api, until } from '../harness/service.ts'
import startStore from '../harness/store.ts'
import { type Journey, startJourney } from '../journeys/harness/journey.ts'
import type { Call } from './call.ts'
import { buildImages } from './images.ts'
import { addRecords } from './records.ts'
import { photos, stacks } from './stacks.ts'

/** Pictures show this path. */
const stacksDirectory = '/srv/stacks'

export interface Homelab {
  journey: Journey
  call: Call
  close(): Promise<void>
}

/**
 * Starts the service with two hosts that have Engines of their own, and a third that is offline.
 * Requires root on Linux, like the scenarios.
 */
export async function startHomelab(): Promise<Homelab> {
  if (existsSync(stacksDirectory)) throw new Error(`${stacksDirectory} exists already`)
  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const one of undo.reverse()) await one()
  }
  try {
    mkdirSync(stacksDirectory, { recursive: true })
    undo.push(() => rmSync(stacksDirectory, { recursive: true, force: true }))
    undo.push(await startStore())
    const here = await startHomelabMachine(undo)
    const nas = await startHomelabMachine(undo)
    const journey = await startJourney({
      ...here.env,
      SERVICE_STACKS_DIR: stacksDirectory,
      SERVICE_METRICS_SAMPLE_SECONDS: '2',
    })
    undo.push(() => journey.close())
    const homelab = { journey, call: callerOf(journey), close }
    const id = await addHosts(homelab, nas)
    await deployAll(homelab, id)
    await addRecords(homelab.call, id)
    return homelab
  } catch (error) {
    await close()
    throw error
  }
}

async function startHomelabMachine(undo: (() => unknown)[]): Promise<Machine> {
  const machine = await startMachine()
  undo.push(() => machine.remove())
  buildImages(machine.env)
  return machine
}

function callerOf({ running, token }: Journey): Call {
  return async (method, path, body) => {
    const { status, json } = await api(running, method, path, { token, body })
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`)
    return json
  }
}

/** Adds the host `nas`, and `attic`, which is offline. Returns the id of `nas`. */
async function addHosts({ journey }: Homelab, nas: Machine): Promise<string> {
  const { place, running, token } = journey
  const host = await enrolHost(place, running, token, { name: 'nas', tags: ['storage'] })
  startAgent(place, host.directory, nas.env)
  await untilHostStatus(running, token, host.id, 'online')
  const attic = await enrolHost(place, running, token, { name: 'attic', tags: ['garage'] })
  const agent = startAgent(place, attic.directory, nas.env)
  await untilHostStatus(running, token, attic.id, 'online')
  await agent.end()
  return host.id
}

async function deployAll({ call }: Homelab, nas: string): Promise<void> {
  for (const { host, ...stack } of stacks) {
    await call('POST', '/stacks', { ...stack, ...(host && { host: nas }) })
    await call('POST', `/stacks/${stack.name}/deploy`, {})
  }
  await call('POST', '/stacks/syncthing/stop', {})
  await call('PUT', '/stacks/uptime', { compose: uptimeMissing })
  await call('POST', '/stacks/uptime/deploy', {})
  await call('PUT', '/stacks/photos', { compose: photos('v2.3.1', { LOG_LEVEL: 'log' }) })
  await call('POST', '/stacks/photos/deploy', {})
  const changed = { LOG_LEVEL: 'log', UPLOAD_LOCATION: '/data/upload' }
  await call('PUT', '/stacks/photos', { compose: photos('v2.4.0', changed) })
  type Services = { health: string | null }[]
  const isUnhealthy = (services: Services) => services.some(({ health }) => health === 'unhealthy')
  await until(() => call<Services>('GET', '/stacks/nextcloud/status'), isUnhealthy)
}

/** Its image exists nowhere, so that its deployment fails. */
const uptimeMissing = `services:
  uptime-kuma:
    image: uptime-kuma:2.1-beta
    restart: unless-stopped
    ports:
      - "3002:3001"
    volumes:
      - data:/data
volumes:
  data:
`
