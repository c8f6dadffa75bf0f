import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { unique } from '../harness/unique.ts'
import { differences } from './differences.ts'
import { normal } from './running/normal-forms.ts'
import { compareRunning } from './running.ts'

const parent = mkdtempSync(join(tmpdir(), 'running-'))
afterAll(() => rmSync(parent, { recursive: true }))

function project(kind: string, compose: string) {
  const name = unique(`running-${kind}`)
  const directory = join(parent, name)
  mkdirSync(directory)
  writeFileSync(join(directory, 'compose.yaml'), compose)
  return { name, directory }
}

const left = (name: string) =>
  execFileSync('docker', ['ps', '-aq', '--filter', `label=com.docker.compose.project=${name}`], {
    encoding: 'utf8',
  })

test('gives the same result on both sides and leaves nothing behind', async () => {
  const given = project(
    'same',
    `services:
  app:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s
    environment: {B: "2", A: "1"}
    volumes: ["data:/data", "./here:/here", /cache]
    ports: ["127.0.0.1::80"]
    depends_on: {job: {condition: service_completed_successfully}}
  job: {image: "busybox:latest", command: "true"}
volumes: {data: {}}
`,
  )
  expect(await compareRunning(given)).toEqual({ differences: [] })
  expect(left(given.name)).toBe('')
})

test('replaces an unavailable image with a stand-in for any command', async () => {
  const given = project(
    'stand',
    `services:
  db:
    image: registry.invalid/db:1
    command: [db, --serve]
    user: db
    healthcheck: {test: [CMD, db-ready, -q], interval: 1s}
  app:
    image: registry.invalid/app
    entrypoint: /app/start.sh
    depends_on: {db: {condition: service_healthy}}
`,
  )
  expect(await compareRunning(given)).toEqual({ differences: [] })
  const images = execFileSync('docker', ['images', '-q', 'registry.invalid/*'], {
    encoding: 'utf8',
  })
  expect(images).toBe('')
})

test('reports a port in use, and brings nothing up', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const ports = `ports: ["127.0.0.1:${port}:80"]`
  const given = project('taken', `services: {app: {image: busybox, ${ports}}}`)
  expect(await compareRunning(given)).toEqual({ skipped: `port ${port} is taken` })
  server.close()
})

test('ignores assigned values, and compares requested ones', () => {
  const network = (subnet: string) => ({ Name: 'n', IPAM: { Config: [{ Subnet: subnet }] } })
  const compare = (asked: string) =>
    differences(
      normal('network', network('172.20.0.0/16'), asked),
      normal('network', network('172.21.0.0/16'), asked),
    )
  expect(compare('{}')).toEqual([])
  expect(compare('{"subnet":"172.20.0.0/16"}')).toEqual([
    'IPAM.Config[0].Subnet: "172.20.0.0/16" / "drawn"',
  ])
})
