import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, newPlace, startIn } from '../../local/harness/service.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { packInto } from './pack.ts'

const folder = mkdtempSync(join(tmpdir(), 'package-'))
const installed = join(folder, 'node_modules/container-stacks')
let archive = ''
let names: string[] = []

beforeAll(async () => {
  archive = packInto(folder)
  const list = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' })
  names = list.trim().split('\n')
  const words = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', [...words, archive], { cwd: folder, stdio: 'pipe' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the package has the built programs, and neither sources nor source maps', () => {
  for (const name of ['dist/cli.js', 'dist/service.js', 'dist/web/index.html', 'LICENSE'])
    expect(names).toContain(`package/${name}`)
  expect(
    names.filter((name) => /\.(ts|tsx|map)$|\.test\.|\/(release|executables)\//.test(name)),
  ).toEqual([])
})

test('the package has at most 6.4 MB', () => {
  expect(statSync(archive).size).toBeLessThanOrEqual(6_400_000)
})

test('its files of the browser UI are compressed and have at most 1.5 MB', () => {
  const assets = join(installed, 'dist/web/assets')
  const files = readdirSync(assets)
  expect(files.filter((name) => !/\.(br|gz|png|woff2)$/.test(name))).toEqual([])
  const bytes = files.map((name) => statSync(join(assets, name)).size)
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1_500_000)
})

test('it runs nothing when it is installed, and depends only on what is not bundled', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const scripts = ['reset-password', 'restore', 'start', 'store']
  expect(Object.keys(manifest.scripts).sort()).toEqual(scripts)
  expect(Object.keys(manifest.dependencies).sort()).toEqual([
    '@mongodb-js/zstd',
    '@node-rs/argon2',
    'ssh2',
  ])
  expect(manifest).not.toHaveProperty('devDependencies')
})

test('npx runs the client', () => {
  const run = (...words: string[]) =>
    spawnSync('npx', ['--no', '--', 'cli', ...words], { cwd: folder, encoding: 'utf8' })
  expect(run('--version')).toMatchObject({ status: 0, stdout: `cli ${packageFile.version}\n` })
  expect(run('--help').stdout).toContain('stacks deploy')
})

test('200: its service starts, and serves the API and the browser UI', async () => {
  const place = { ...newPlace(), programs: join(installed, 'dist') }
  try {
    const service = await startIn(place)
    expect((await api(service, 'GET', '/health')).status).toBe(200)
    const page = await fetch(service.url, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<html')
    expect((await fetch(`${service.url}/api/v1/agents/agent.mjs`)).status).toBe(200)
  } finally {
    await place.remove()
  }
  expect(existsSync(join(installed, 'dist/service.js'))).toBe(true)
})
