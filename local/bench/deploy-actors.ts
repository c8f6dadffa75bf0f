import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Json } from '../../adapters/testing/json.ts'
import { ensureCompose } from '../setup/compose.mjs'
import { engine, labelled, removeLabelled } from './engine.ts'
import type { Service } from './service.ts'

const run = promisify(execFile)

/** The measured operations, in this order. */
export const operations = ['plan', 'deploy', 'deploy unchanged', 'status', 'stop'] as const

/** One way to run the stack of a benchmark. Only `operations` are measured. */
export interface Actor {
  prepare(): Promise<unknown>
  operations: Record<(typeof operations)[number], () => Promise<unknown>>
  /** Removes everything that the stack left behind. */
  clear(): Promise<unknown>
}

/**
 * Returns the stack under test: sleeping services on one network, with one volume. Each has an init
 * so that it stops at once.
 */
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

/** Uses the API of the service. */
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

/** Retries once after a second, because a busy Engine may take a moment to release a network. */
async function again(work: () => Promise<unknown>) {
  await work().catch(async () => {
    await pause(1000)
    await work()
  })
}

async function succeeded(deployment: Promise<Json>) {
  const { status, error } = await deployment
  if (status !== 'succeeded') throw new Error(`the deployment ${status}: ${error}`)
}

/**
 * Returns the docker compose program: `COMPOSE_PROGRAM`, or this machine's, downloaded if
 * necessary. Throws if there is none.
 */
export function composeProgram(): string {
  const found = process.env.COMPOSE_PROGRAM ?? ensureCompose()
  if (!found) throw new Error('docker compose is not installed: set COMPOSE_PROGRAM to its path')
  return found
}

/** Uses docker compose. `rm --stop` removes the containers and keeps volumes and networks. */
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
    // An Engine sometimes keeps stale endpoints of a network. This must not fail the benchmark.
    clear: () => compose('down', '--volumes').catch(() => sweep(name)),
  }
}

/**
 * The lower bound: a bare script that knows the steps beforehand and makes the same Engine calls,
 * all at once.
 */
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
      // If the Engine keeps the network because of stale endpoints, continue with another name.
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

/** Removes what a stack left behind, as far as the Engine allows. */
export async function sweep(name: string): Promise<void> {
  await removeLabelled(`com.docker.compose.project=${name}`)
  await engine('DELETE', `/networks/${name}_default`).catch(() => {})
  await engine('DELETE', `/volumes/${name}_data`).catch(() => {})
}
