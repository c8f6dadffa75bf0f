import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildClientLibrary } from '../../packaging/client/pack.ts'
import { boundToParent } from '../harness/bound-process.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const root = resolve(import.meta.dirname, '../..')
const place = newPlace()
const folder = join(place.directory, 'programs')
const name = unique('library')
let running: Running
let token: string

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  // As npm installs it.
  buildClientLibrary(join(folder, 'node_modules/container-stacks-client'))
  for (const one of ['openapi-fetch', 'openapi-typescript-helpers', 'ws'])
    symlinkSync(join(root, 'node_modules', one), join(folder, 'node_modules', one))
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'examples/client'), folder, { recursive: true })
  const compose = 'services:\n  web:\n    image: busybox:latest\n    command: sleep 3600\n'
  writeFileSync(join(folder, 'compose.yaml'), `${compose}    stop_grace_period: 0s\n`)
})

afterAll(async () => {
  await removeFromEngine(name)
  await place.remove()
})

/** Starts an example with its output. */
function start(words: string[]) {
  const env = { PATH: process.env.PATH, SERVER: running.url, TOKEN: token }
  const child = spawn(...boundToParent(process.execPath, words), { cwd: folder, env })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)))
  return { child, output, ended }
}

test('the examples deploy a stack and follow its events', async () => {
  const events = start(['follow-events.mjs'])
  await expect.poll(() => running.lines.some((line) => line.includes('/ws/ticket'))).toBe(true)
  const deploy = start(['deploy.mjs', name, 'compose.yaml'])
  expect(await deploy.ended, deploy.output.err).toBe(0)
  expect(deploy.output.out).toContain(`${name}: succeeded\n${name}-web-1: running\n`)
  await expect.poll(() => events.output.out).toContain(`container.start ${name}-web-1`)
  events.child.kill('SIGINT')
  expect(await events.ended, events.output.err).toBe(0)
})

test('409: an example prints the error of the service', async () => {
  const again = start(['deploy.mjs', name, 'compose.yaml'])
  expect(await again.ended).toBe(1)
  expect(again.output.err).toMatch(new RegExp(`^${name}: .*exists`))
})
