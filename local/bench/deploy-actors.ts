import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ensureCompose } from '../setup/compose.mjs'
import { engine, labelled, removeLabelled } from './engine.ts'
import type { Service } from './service.ts'

const run = promisify(execFile)

/** What is measured, in this order. */
export const operations = ['plan', 'deploy', 'deploy unchanged', 'status', 'stop'] as const

/** One way to run the stack of a benchmark. What is not an operation is not measured. */
export interface Actor {
  prepare(): Promise<unknown>
  operations: Record<(typeof operations)[number], () => Promise<unknown>>
  /** Removes everything the stack left. */
  clear(): Promise<unknown>
}

/** The stack under test: services that sleep, with an init so that they end at once, on one network, with one volume. */
export function composeText(services: number): string {
  const one = (index: number) =>
    [
      `  s${index}:`,
      '    image: busybox:latest',
      '    command: sleep 3600',
      '    init: true',
      '    stop_grace_period: 0s',
      '    volumes: ["data:/data"]',
    ].join('\n')
  const all = Array.from({ length: services }, (_, index) => one(index + 1))
  return `services:\n${all.join('\n')}\nvolumes:\n  data: {}\n`
}

/** Through the API of the service. */
export function serviceActor(service: Service, name: string, services: number): Actor {
  const { call } = service
  return {
    prepare: () => call('POST', '/stacks', { name, compose: composeText(services) }),
    operations: {
      plan: () => call('POST', `/stacks/${name}/plan`, {}),
      deploy: () => succeeded(call('POST', `/stacks/${name}/deploy`, {})),
      'deploy unchanged': () => succeeded(call('POST', `/stacks/${name}/deploy`, {})),
      status: () => call('GET', `/stacks/${name}/status`),
      stop: () => call('POST', `/stacks/${name}/stop`),
    },
    clear: () => again(() => call('DELETE', `/stacks/${name}?volumes=true`)),
  }
}

/** A busy Engine may take a moment to let go of a network: once more after a second. */
async function again(work: () => Promise<unknown>) {
  await work().catch(async () => {
    await pause(1000)
    await work()
  })
}

async function succeeded(deployment: Promise<any>) {
  const { status, error } = await deployment
  if (status !== 'succeeded') throw new Error(`the deployment ${status}: ${error}`)
}

/** The docker compose program: `COMPOSE_PROGRAM`, or this machine's, had if need be. Throws when there is none. */
export function composeProgram(): string {
  const found = process.env.COMPOSE_PROGRAM ?? ensureCompose()
  if (!found) throw new Error('there is no docker compose: name its program with COMPOSE_PROGRAM')
  return found
}

/** By docker compose. Its `rm --stop` is what leaves volumes and networks alone. */
export function composeActor(directory: string, name: string, services: number): Actor {
  const program = composeProgram()
  const file = join(directory, name, 'compose.yaml')
  const compose = (...args: string[]) =>
    run(program, ['--project-name', name, '--file', file, ...args])
  return {
    async prepare() {
      mkdirSync(join(directory, name), { recursive: true })
      writeFileSync(file, composeText(services))
    },
    operations: {
      plan: () => compose('--dry-run', 'up', '--detach'),
      deploy: () => compose('up', '--detach'),
      'deploy unchanged': () => compose('up', '--detach'),
      status: () => compose('ps', '--all', '--format', 'json'),
      stop: () => compose('rm', '--stop', '--force'),
    },
    // An Engine at times holds on to endpoints of a network that nobody has any more: that is no matter of speed.
    clear: () => compose('down', '--volumes').catch(() => sweep(name)),
  }
}

/** The floor: the same Engine calls from a bare script, all at once, which knows beforehand what is to be done. */
export function floorActor(name: string, services: number): Actor {
  const label = `com.docker.compose.project=${name}`
  const all = Array.from({ length: services }, (_, index) => `${name}-s${index + 1}-1`)
  const list = () => engine('GET', `/containers/json?${labelled(label)}`)
  const found = (what: string) => engine('GET', `/${what}?${labelled(label)}`)
  let network = `${name}_default`
  return {
    prepare: async () => {},
    operations: {
      plan: () => Promise.all([list(), found('networks'), found('volumes'), image()]),
      async deploy() {
        await Promise.all([
          engine('POST', '/networks/create', { Name: network, CheckDuplicate: true }),
          engine('POST', '/volumes/create', { Name: `${name}_data` }),
        ])
        await Promise.all(
          all.map((container) => startContainer(container, network, `${name}_data`, label)),
        )
      },
      'deploy unchanged': () =>
        Promise.all([
          list(),
          engine('GET', `/networks/${network}`),
          engine('GET', `/volumes/${name}_data`),
        ]),
      status: list,
      stop: () =>
        Promise.all(
          all.map(async (container) => {
            await engine('POST', `/containers/${container}/stop?t=0`)
            await engine('DELETE', `/containers/${container}`)
          }),
        ),
    },
    async clear() {
      await removeLabelled(label)
      // One that the Engine holds on to, for endpoints that nobody has any more, is left to it.
      await again(() => engine('DELETE', `/networks/${network}`)).catch(() => {
        network += '-next'
      })
      await engine('DELETE', `/volumes/${name}_data`)
    },
  }
}

const image = () => engine('GET', '/images/busybox:latest/json')

async function startContainer(container: string, network: string, volume: string, label: string) {
  const [key = '', value] = label.split('=')
  await engine('POST', `/containers/create?name=${container}`, {
    Image: 'busybox:latest',
    Cmd: ['sleep', '3600'],
    Labels: { [key]: value },
    HostConfig: {
      Init: true,
      NetworkMode: network,
      Mounts: [{ Type: 'volume', Source: volume, Target: '/data' }],
    },
  })
  await engine('POST', `/containers/${container}/start`)
}

/** Removes what a stack left behind, as far as the Engine lets go of it. */
export async function sweep(name: string): Promise<void> {
  await removeLabelled(`com.docker.compose.project=${name}`)
  await engine('DELETE', `/networks/${name}_default`).catch(() => {})
  await engine('DELETE', `/volumes/${name}_data`).catch(() => {})
}
