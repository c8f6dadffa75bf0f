import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { askDocker } from '../../adapters/testing/docker.ts'
import { removeFromEngine } from './remove-from-engine.ts'
import { unique } from './unique.ts'

const name = unique('removed')
const other = unique('another')
const label = ['--label', `com.docker.compose.project=${name}`]
const sleeping = ['busybox:latest', 'sleep', '3600']

afterAll(async () => {
  await removeFromEngine(other)
  for (const prefix of [name, `${name}7`]) await removeFromEngine(prefix)
})

/** Returns the names on the Engine that contain the name of this test. */
async function names(): Promise<string[]> {
  const all = await Promise.all([
    askDocker('ps', '-a', '--format', '{{.Names}}'),
    askDocker('network', 'ls', '--format', '{{.Name}}'),
    askDocker('volume', 'ls', '-q'),
  ])
  const own = (one: string) => one.includes(name) || one.includes(other)
  return all.flatMap((text) => text.split('\n').filter(own)).sort()
}

test('accepts that there is nothing', async () => {
  await removeFromEngine(name)
})

test('removes a project, and containers of other names that mount its volumes', async () => {
  await askDocker('network', 'create', `${name}_default`)
  await askDocker('volume', 'create', `${name}7_data`)
  const mount = ['-v', `${name}_data:/data`, '--init']
  await askDocker('run', '-d', '--name', other, ...mount, ...sleeping)
  const network = ['--network', `${name}_default`]
  await askDocker('run', '-d', '--name', `${other}-labelled`, ...label, ...network, ...sleeping)
  await askDocker('run', '-d', '--name', `${name}-web-1`, ...sleeping)
  await removeFromEngine(name)
  expect(await names()).toEqual([`${name}7_data`])
})

test('waits for a network that is still in use', async () => {
  const network = `${name}_default`
  await askDocker('network', 'create', network)
  await askDocker('run', '-d', '--name', other, '--network', network, '--init', ...sleeping)
  const removed = removeFromEngine(name)
  await pause(600)
  await askDocker('rm', '-f', other)
  await removed
  expect(await names()).not.toContain(network)
})

test('fails after the time limit and names what is left', async () => {
  const network = `${name}_default`
  await askDocker('network', 'create', network)
  await askDocker('run', '-d', '--name', other, '--network', network, '--init', ...sleeping)
  const removed = removeFromEngine(name, 500)
  await expect(removed).rejects.toThrow(`could not remove network ${network}: `)
  await expect(removed).rejects.toThrow('has active endpoints')
})
