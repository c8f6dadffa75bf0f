import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import { api, cli, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { findCompose } from '../setup/compose.mjs'
import { shapes } from './interoperation-shapes.ts'

const place = newPlace()
const parent = join(place.directory, 'projects')
let running: Running
let token: string

const dockerCompose = (name: string, ...args: string[]) => {
  const options = { cwd: join(parent, name), encoding: 'utf8', stdio: 'pipe' } as const
  return execFileSync(present(findCompose()), args, options).trim()
}

/** Returns name → ID and service of every container of a project. */
function containers(name: string): Record<string, { id: string; service: string }> {
  const filter = `label=com.docker.compose.project=${name}`
  const form = '{{.Names}} {{.ID}} {{.Label "com.docker.compose.service"}}'
  const lines = docker('ps', '-a', '--no-trunc', '--filter', filter, '--format', form)
  const all = lines.split('\n').map((line) => line.split(' ') as [string, string, string])
  return Object.fromEntries(all.sort().map(([own, id, service]) => [own, { id, service }]))
}

const deploy = (name: string, body = {}) =>
  api(running, 'POST', `/stacks/${name}/deploy`, { token, body })

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  await cli(place, ['login', running.url, '--user', 'admin'], { input: place.password })
})

afterAll(async () => {
  await place.remove()
})

describe.each(Object.entries(shapes))(
  '%s',
  (shape, { files, twoForms = [] }) => {
    const name = unique(`inter-${shape}`)

    beforeAll(() => {
      for (const [path, text] of Object.entries(files)) {
        const file = join(parent, name, path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
      }
      dockerCompose(name, 'up', '-d')
    })

    // The Engine may keep a network for a moment after its last container is gone.
    afterAll(async () => {
      await until(async () => isDown(name), Boolean)
    })

    test('adopts what docker compose brought up, and a deploy recreates nothing', async () => {
      const before = containers(name)
      const args = ['stack', 'adopt', name, '--yes', '--with-env']
      const { code, stderr } = await cli(place, args, { directory: parent })
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('differ')])
      expect((await deploy(name)).json).toMatchObject({ status: 'succeeded', steps: [] })
      expect(containers(name)).toEqual(before)
    })

    test('docker compose manages what we deployed as its own', async () => {
      const { json } = await deploy(name, { force_recreate: true })
      expect(json).toMatchObject({ status: 'succeeded', error: null })
      const before = containers(name)
      const listed = dockerCompose(name, 'ps', '-a', '--format', '{{.Name}}').split('\n').sort()
      expect(listed).toEqual(Object.keys(before))
      dockerCompose(name, 'logs')
      dockerCompose(name, 'stop', '-t', '0')
      dockerCompose(name, 'up', '-d')
      const kept = (all: typeof before) =>
        Object.fromEntries(Object.entries(all).filter(([, one]) => !twoForms.includes(one.service)))
      expect(kept(containers(name))).toEqual(kept(before))
      // Our deploy accepts whatever docker compose recreated.
      expect((await deploy(name)).json).toMatchObject({ status: 'succeeded', steps: [] })
    })
  },
  60_000,
)

function isDown(name: string): boolean {
  try {
    dockerCompose(name, 'down', '-v', '-t', '0', '--rmi', 'local')
    return true
  } catch {
    return false
  }
}
