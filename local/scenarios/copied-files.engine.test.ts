import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { type Entry, packed } from '../../adapters/testing/tar.ts'
import { api, cli, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const name = unique('copied')
const compose = `services:
  web:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s
    volumes: ["./conf:/conf:ro", "./rw:/rw"]
  sealed:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s
    read_only: true
    volumes: ["data:/data"]
  still:
    image: busybox:latest
    command: "true"
volumes:
  data:
`

const place = newPlace()
const home = mkdtempSync(join(tmpdir(), 'copied-'))
let running: Running
let token: string

const ask = (method: string, path: string, body?: unknown) =>
  api(running, method, path, { token, body })
const client = (words: string, input?: string) =>
  cli(place, words.split(' '), { directory: home, ...(input === undefined ? {} : { input }) })
const put = async (container: string, path: string, ...entries: Entry[]) =>
  ask('PUT', `/containers/${name}-${container}-1/archive?path=${path}`, {
    data: (await packed(...entries)).toString('base64'),
  })
const inside = (service: string, script: string) =>
  docker('exec', `${name}-${service}-1`, 'sh', '-c', script)

/** Returns every path below a directory with its kind, mode and content. */
function treeOf(directory: string, below = ''): string[] {
  return readdirSync(join(directory, below)).flatMap((one) => {
    const path = join(below, one)
    const found = lstatSync(join(directory, path))
    const mode = (found.mode & 0o777).toString(8)
    if (found.isSymbolicLink()) return [`${path} -> ${readlinkSync(join(directory, path))}`]
    if (found.isDirectory()) return [`${path}/ ${mode}`, ...treeOf(directory, path)]
    return [`${path} ${mode} ${digestOf(join(directory, path))}`]
  })
}

const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Returns the same of a directory in a container. */
const treeIn = (service: string, directory: string) =>
  inside(
    service,
    `cd ${directory} && find . | sort | while read -r f; do stat -c '%n %a %F %s %u %N' "$f"; done`,
  )

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  const login = await cli(place, ['login', running.url, '--token', token])
  expect([login.code, login.stderr]).toEqual([0, expect.any(String)])
  const files = { 'conf/a': { content: 'a' } }
  const made = await until(
    () => ask('POST', '/stacks', { name, compose, files }),
    ({ status }) => status !== 500,
  )
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  const up = await ask('POST', `/stacks/${name}/deploy`, {})
  expect(up.json, JSON.stringify(up.json)).toMatchObject({ status: 'succeeded' })
  const tree = join(home, 'tree')
  mkdirSync(join(tree, 'sub', 'empty'), { recursive: true })
  writeFileSync(join(tree, 'plain'), 'one')
  writeFileSync(join(tree, 'sub', 'run.sh'), '#!/bin/sh\n')
  writeFileSync(join(tree, 'sub', 'ä b'), 'secret')
  chmodSync(join(tree, 'sub', 'run.sh'), 0o755)
  chmodSync(join(tree, 'sub', 'ä b'), 0o600)
  chmodSync(join(tree, 'sub', 'empty'), 0o700)
  symlinkSync('../plain', join(tree, 'sub', 'link'))
})

afterAll(async () => {
  await ask('DELETE', `/stacks/${name}?volumes=true`)
  await place.remove()
  rmSync(home, { recursive: true })
})

test('copies a directory in and out as docker cp does, also of a container that has ended', async () => {
  for (const service of ['web', 'still']) {
    const container = `${name}-${service}-1`
    expect((await client(`containers cp tree ${container}:/tmp/ours`)).stderr).toBe('')
    docker('cp', join(home, 'tree'), `${container}:/tmp/theirs`)
    const out = await client(`containers cp ${container}:/tmp/theirs out-${service}`)
    expect([out.code, out.stderr]).toEqual([0, ''])
    docker('cp', `${container}:/tmp/ours`, join(home, `docker-${service}`))
    expect(treeOf(join(home, `out-${service}`))).toEqual(treeOf(join(home, 'tree')))
    expect(treeOf(join(home, `docker-${service}`))).toEqual(treeOf(join(home, 'tree')))
  }
  expect(treeIn('web', '/tmp/ours')).toBe(treeIn('web', '/tmp/theirs'))
})

test('a read-only root or mount stays as it is', async () => {
  const file = { name: 'evil', text: 'x' }
  expect((await put('sealed', '/etc', file)).status).toBe(409)
  expect((await put('sealed', '/data', file)).status).toBe(204)
  expect(inside('sealed', 'cat /data/evil')).toBe('x')
  expect((await put('web', '/conf', file)).status).toBe(409)
  const through = await put('web', '/', { name: 'conf/evil', text: 'x' })
  expect(through.status, JSON.stringify(through.json)).toBeGreaterThanOrEqual(400)
  expect(readdirSync(join(place.directory, 'stacks', name, 'conf'))).toEqual(['a'])
})

test('links and names lead to places in the container only', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'outside-'))
  writeFileSync(join(outside, 'mine'), 'of the host')
  inside('web', `ln -s ${outside} /rw/out; ln -s ../../../../../..${outside} /rw/up`)
  for (const link of ['out', 'up']) {
    await put('web', '/rw', { name: `${link}/evil`, text: 'x' })
    await put('web', `/rw/${link}`, { name: 'evil', text: 'x' })
    const query = `path=/rw/${link}/mine`
    expect((await ask('GET', `/containers/${name}-web-1/archive?${query}`)).status).toBe(404)
    expect(readdirSync(outside)).toEqual(['mine'])
  }
  const odd = encodeURIComponent('/tmp/a\nb "c')
  expect((await put('web', '/tmp', { name: 'a\nb "c', text: 'odd' })).status).toBe(204)
  const { json } = await ask('GET', `/containers/${name}-web-1/archive?path=${odd}`)
  expect(json).toMatchObject({ kind: 'file', size: 3 })
  expect((await put('web', '/tmp/../../..', { name: 'top', text: 'x' })).status).toBe(204)
  expect(existsSync('/top')).toBe(false)
  rmSync(outside, { recursive: true })
})
