import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { paced } from '../harness/pace.ts'
import { api } from '../harness/service.ts'
import { appearanceProblems, viewportsOfStory } from './harness/appearance.ts'
import { axeViolations } from './harness/axe.ts'
import { follow, type Journey, startJourney } from './harness/journey.ts'
import { screenshot } from './harness/screenshot.ts'
import { seenChooseFiles, seenClick, seenFill } from './harness/seen-click.ts'
import type { WatchedPage } from './harness/watched-page.ts'

let journey: Journey
const project = `adopt-${randomBytes(3).toString('hex')}`

beforeAll(async () => {
  journey = await startJourney()
})
afterAll(async () => {
  docker('rm', '-f', `${project}-web-1`)
  await journey?.close()
})

const get = (path: string) => api(journey.running, 'GET', path, { token: journey.token })

describe.each(viewportsOfStory(1280))('opened at $width px', (look) => {
  let opened: WatchedPage
  beforeAll(async () => {
    opened = await journey.openSignedIn('/stacks', look)
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  test.each(['/stacks/+new', '/stacks/+new/folder', '/stacks/+new/run', '/stacks/+new/adopt'])(
    '%s has no violation that axe finds',
    async (path) => {
      const { page } = opened
      await follow(page, path)
      await page.getByRole('heading', { name: 'Create a stack' }).waitFor()
      if (path.endsWith('run'))
        await seenFill(page.getByLabel('Command'), 'docker run --rm -p 80:80 nginx')
      if (path.endsWith('new')) {
        await seenFill(page.getByLabel('compose.yaml'), 'services:\n  web:\n    imag: nginx\n')
        await page.locator('.problem-list button').first().waitFor()
      }
      expect(await appearanceProblems(page, `new${path.replaceAll('/', '-')}`)).toEqual([])
    },
  )
})

test('a broken compose file is refused at its line, and saved once it is right', async () => {
  await using opened = await journey.openSignedIn('/stacks/+new')
  const { page } = opened
  const text = page.getByLabel('compose.yaml')
  await seenFill(text, 'name: pasted\nservices:\n  web:\n    imag: nginx\n')
  await seenClick(page.getByRole('button', { name: 'compose.yaml:4 services.web.imag' }))
  const active = page.locator('.cm-editor.cm-focused .cm-activeLine')
  await expect.poll(() => active.textContent()).toBe('    imag: nginx')
  const create = page.getByRole('button', { name: 'Create pasted' })
  expect(await create.getAttribute('aria-disabled')).toBe('true')
  // The problem begins at "imag", which misses a letter.
  for (const key of [...Array(4).fill('ArrowRight'), 'e']) await page.keyboard.press(key)
  await page.getByText('No problems').waitFor()
  await seenClick(create)
  await expect.poll(() => new URL(page.url()).pathname).toBe('/stacks/pasted')
})

test('files are checked again after a check that failed for a while', async () => {
  await using opened = await journey.openSignedIn('/stacks/+new', { expected: /500/ })
  const { page } = opened
  const body = JSON.stringify({ error: 'the machine is busy' })
  const contentType = 'application/json'
  await page.route('**/stacks/validate', (route) =>
    route.fulfill({ status: 500, contentType, body, headers: { 'X-Error-Reason': 'timeout' } }),
  )
  await seenFill(
    page.getByLabel('compose.yaml'),
    'name: busy\nservices:\n  web:\n    image: nginx\n',
  )
  await page.getByText('Not checked: the machine is busy').waitFor()
  await page.unroute('**/stacks/validate')
  await page.getByText('No problems').waitFor()
})

test('a stack may be called new', async () => {
  await api(journey.running, 'POST', '/stacks', {
    token: journey.token,
    body: { name: 'new', compose: 'services: {web: {image: nginx}}' },
  })
  await using opened = await journey.openSignedIn('/stacks')
  await seenClick(opened.page.getByRole('link', { name: 'new', exact: true }))
  await opened.page.getByRole('button', { name: 'Deploy new' }).waitFor()
})

test('a name that is taken is said at the name', async () => {
  await api(journey.running, 'POST', '/stacks', {
    token: journey.token,
    body: { name: 'taken', compose: 'services: {web: {image: nginx}}' },
  })
  await using opened = await journey.openSignedIn('/stacks/+new', { expected: /409/ })
  const { page } = opened
  await seenFill(
    page.getByLabel('compose.yaml'),
    'name: taken\nservices:\n  web:\n    image: nginx\n',
  )
  await page.getByText('No problems').waitFor()
  await seenClick(page.getByRole('button', { name: 'Create taken' }))
  await page.locator('.new-stack-head .field-error').waitFor()
})

test('a docker run command becomes a compose file', async () => {
  await using opened = await journey.openSignedIn('/stacks/+new/run')
  const { page } = opened
  await seenFill(
    page.getByLabel('Command'),
    'docker run -d --rm --name proxy -p 8080:80 nginx:1.29',
  )
  await page.getByText('Not in the compose file: --rm').waitFor()
  await seenClick(page.getByRole('button', { name: 'Continue with this file' }))
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('proxy')
  await page.getByLabel('compose.yaml').getByText('"8080:80"').waitFor()
})

test('a folder is sent, also what is too large for one request', async () => {
  const directory = join(journey.place.directory, 'site')
  for (const folder of ['conf', 'node_modules/a', 'cache']) {
    mkdirSync(join(directory, folder), { recursive: true })
  }
  const volumes = '    volumes: ["./conf:/conf:ro"]\n'
  writeFileSync(
    join(directory, 'docker-compose.yml'),
    `services:\n  web:\n    image: nginx\n${volumes}`,
  )
  writeFileSync(join(directory, 'conf/start.sh'), '#!/bin/sh\necho ok\n')
  writeFileSync(join(directory, 'conf/large.bin'), randomBytes(5_000_000))
  writeFileSync(join(directory, 'cache/data.bin'), randomBytes(2_000_000))
  writeFileSync(join(directory, 'node_modules/a/index.js'), 'a\n')
  await using opened = await journey.openSignedIn('/stacks/+new/folder')
  const { page } = opened
  await seenChooseFiles(page.getByRole('button', { name: 'Choose a folder' }), directory)
  await page.getByText('node_modules/ is not sent').waitFor()
  expect(await page.getByLabel('cache/').isChecked()).toBe(false)
  await screenshot(page, 'new-folder-preview')
  expect(await axeViolations(page)).toEqual([])
  await seenClick(page.getByRole('button', { name: 'Create site' }))
  await expect
    .poll(() => new URL(page.url()).pathname, { timeout: paced(20_000) })
    .toBe('/stacks/site')
  const { json } = await get('/stacks/site/files')
  const files = (json as { path: string; size: number; mode: string }[]).filter(({ path }) =>
    path.startsWith('conf/'),
  )
  expect(files).toMatchObject([
    { path: 'conf/large.bin', size: 5_000_000 },
    { path: 'conf/start.sh', mode: '0755' },
  ])
})

/** Drops a path of this machine on an element, as the file manager of the system does. */
async function drop(page: Page, selector: string, path: string): Promise<void> {
  const box = await page.locator(selector).boundingBox()
  if (!box) throw new Error(`${selector} is not shown`)
  const cdp = await page.context().newCDPSession(page)
  const at = { x: box.x + box.width / 2, y: box.y + 12 }
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await cdp.send('Input.dispatchDragEvent', { type, ...at, data })
}

test('a folder is dropped, without what the client would leave out', async () => {
  const directory = join(journey.place.directory, 'dropped')
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
  const volumes = '["./data:/data", "./conf:/conf:ro"]'
  write('compose.yaml', `services:\n  web:\n    build: .\n    volumes: ${volumes}\n`)
  write('.env', 'A=1\n')
  write('.dockerignore', 'tmp\n*.md\n')
  for (const path of ['Dockerfile', 'README.md', 'tmp/a', '.git/HEAD', 'src/deep/main.sh'])
    write(path, 'FROM scratch\n')
  write('data/db.bin', randomBytes(2_000_000))
  for (let n = 0; n < 120; n += 1) write(`conf/${n}.conf`, `${n}\n`)
  await using opened = await journey.openSignedIn('/stacks/+new/folder')
  const { page } = opened
  await drop(page, '.drop-zone', directory)
  for (const path of ['tmp/', 'README.md', '.git/'])
    await page.getByText(`${path} is not sent`, { exact: true }).waitFor()
  expect(await page.getByLabel('data/').isChecked()).toBe(false)
  await screenshot(page, 'new-folder-dropped')
  await seenClick(page.getByRole('button', { name: 'Create dropped' }))
  await expect.poll(() => new URL(page.url()).pathname).toBe('/stacks/dropped')
  const { json } = await get('/stacks/dropped/files')
  const paths = (json as { path: string }[]).map(({ path }) => path)
  expect(paths.filter((path) => path.startsWith('conf/'))).toHaveLength(120)
  expect(paths.filter((path) => !path.startsWith('conf/')).sort()).toEqual([
    '.dockerignore',
    '.env',
    'Dockerfile',
    'compose.yaml',
    'src/deep/main.sh',
  ])
})

test('a running compose project is adopted without a restart', async () => {
  const directory = join(journey.place.directory, 'stacks', project)
  const compose = 'services:\n  web:\n    image: busybox:latest\n    command: ["sleep", "3600"]\n'
  const label = (name: string, value: string) => ['--label', `com.docker.compose.${name}=${value}`]
  docker(
    ...['run', '-d', '--name', `${project}-web-1`, '--init'],
    ...label('project', project),
    ...label('service', 'web'),
    ...label('container-number', '1'),
    ...label('oneoff', 'False'),
    ...label('config-hash', '0'.repeat(64)),
    ...label('project.working_dir', directory),
    ...label('project.config_files', join(directory, 'compose.yaml')),
    ...['busybox:latest', 'sleep', '3600'],
  )
  await using opened = await journey.openSignedIn('/stacks/+new/adopt')
  const { page } = opened
  const row = page.getByRole('row').filter({ has: page.getByText('local', { exact: true }) })
  await seenClick(row.getByRole('button', { name: `Adopt ${project}` }))
  await seenClick(page.getByText('Paste the compose file instead'))
  await seenFill(page.getByLabel('compose.yaml'), compose)
  await screenshot(page, 'new-adopt-project')
  expect(await axeViolations(page)).toEqual([])
  await seenClick(page.getByRole('button', { name: `Adopt ${project}` }))
  await page.getByText(`${project} is a stack now`).waitFor()
  await screenshot(page, 'new-adopted')
  await seenClick(page.getByRole('link', { name: `Open ${project}` }))
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/stacks/${project}`)
})
