import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../harness/service.ts'
import { appearanceProblems, viewportsOfStory } from './harness/appearance.ts'
import { axeViolations } from './harness/axe.ts'
import { type Journey, startJourney } from './harness/journey.ts'
import { screenshot } from './harness/screenshot.ts'
import { seenChooseFiles, seenClick, seenFill, seenHover } from './harness/seen-click.ts'

const compose = `services:
  web:
    image: nginx:\${TAG}
    restart: unless-stopped
    environment:
      MODE: normal
    volumes:
      - data:/data
volumes:
  data:
`
const files = {
  'conf/nginx.conf': { content: 'listen 80;\n' },
  'conf/run.sh': { content: '#!/bin/sh\n', mode: '0755' },
  'tls.key': { content: 'a private key' },
}

let journey: Journey

beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey?.close())

const call = (method: string, path: string, body?: unknown) =>
  api(journey.running, method, path, { token: journey.token, ...(body !== undefined && { body }) })

/** Creates a stack for a test alone. */
async function newStack(name: string): Promise<void> {
  const overlays = { prod: 'services:\n  web:\n    environment:\n      MODE: prod\n' }
  const made = await call('POST', '/stacks', { name, compose, env: 'TAG=1.29\n', overlays, files })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
}

const stored = async (name: string, path = 'compose.yaml') =>
  (await call('GET', `/stacks/${name}/file?path=${encodeURIComponent(path)}`)).json

/** Returns the text of the editor. */
const textOf = (page: Page) => page.locator('.files-main .cm-content').innerText()

/** Adds text at the end of the editor. */
async function addAtEnd(page: Page, text: string): Promise<void> {
  await seenClick(page.locator('.files-main .cm-content'))
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(text)
}

describe.each(viewportsOfStory(390))('opened at $width px', (look) => {
  test('the files and the editor have no violation that axe finds', async () => {
    const name = `look-${look.width}`
    await newStack(name)
    const tree = `/stacks/${name}/files`
    await using opened = await journey.openSignedIn(tree, look)
    const { page } = opened
    await page.getByRole('link', { name: 'run.sh' }).waitFor()
    expect(await appearanceProblems(page, 'files-tree')).toEqual([])
    await page.goto(`${new URL(page.url()).origin}${tree}?file=compose.yaml`)
    await page.locator('.cm-content').waitFor()
    await addAtEnd(page, 'servces: 1\n')
    await page.getByRole('button', { name: /servces/ }).waitFor()
    expect(await appearanceProblems(page, 'files-editor')).toEqual([])
    await seenClick(page.getByRole('button', { name: 'Resolved model' }))
    await page.locator('.files-model .cm-content').waitFor()
    expect(await appearanceProblems(page, 'files-model')).toEqual([])
  })
})

test('a broken edit is refused with its line, survives a reload, and is saved once mended', async () => {
  await newStack('shop')
  await using opened = await journey.openSignedIn('/stacks/shop/files', { expected: /422/ })
  const { page } = opened
  await page.locator('.cm-content').waitFor()
  await addAtEnd(page, 'servces: {}\n')
  await page.getByRole('button', { name: /compose\.yaml:11.*servces/ }).waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('The files were not saved').first().waitFor()
  // A second tab begins with the same draft, and its changes are its own.
  const second = await page.context().newPage()
  await second.goto(page.url())
  await second.getByText('Unsaved changes').waitFor()
  await addAtEnd(second, '# second\n')
  await second.reload()
  expect(await textOf(second)).toContain('# second')
  await second.close()
  await page.reload()
  await page.getByText('Unsaved changes').waitFor()
  expect(await textOf(page)).toContain('servces')
  expect(await textOf(page)).not.toContain('# second')
  await seenClick(page.getByRole('button', { name: /compose\.yaml:11/ }))
  await page.locator('.cm-editor.cm-focused').waitFor()
  await page.keyboard.press('End')
  for (const _ of 'servces: {}') await page.keyboard.press('Backspace')
  await page.keyboard.insertText('# mended')
  await page.getByText('No problems').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Saved 1 file as revision 2').waitFor()
  expect((await stored('shop')).content).toBe(`${compose}# mended\n`)
  await expect.poll(() => page.getByText('Unsaved changes').count()).toBe(0)
})

test('an overlay is edited in its tab, with problems at its lines', async () => {
  await newStack('overlaid')
  await using opened = await journey.openSignedIn('/stacks/overlaid/files')
  const { page } = opened
  const tabs = page.locator('.files-main nav.tabs')
  await seenClick(tabs.getByRole('link', { name: 'compose.prod.yaml' }))
  await expect.poll(() => textOf(page)).toContain('MODE: prod')
  await addAtEnd(page, '    imag: nginx:1.30\n')
  await page.getByRole('button', { name: /compose\.prod\.yaml:5.*imag/ }).waitFor()
  await page.locator('.cm-lintRange-error').first().waitFor()
  // Changes stay with their tab.
  await seenClick(tabs.getByRole('link', { name: 'compose.yaml' }))
  await expect.poll(() => textOf(page)).toContain('restart: unless-stopped')
  await seenClick(page.getByRole('button', { name: /compose\.prod\.yaml:5.*imag/ }))
  await page.locator('.cm-editor.cm-focused').waitFor()
  await page.keyboard.press('End')
  for (const _ of 'imag: nginx:1.30') await page.keyboard.press('Backspace')
  await page.keyboard.insertText('image: nginx:1.30')
  await page.getByText('No problems').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Saved 1 file as revision 2').waitFor()
  expect((await stored('overlaid', 'compose.prod.yaml')).content).toContain('image: nginx:1.30')
  expect((await stored('overlaid')).content).toBe(compose)
})

test('the schema completes keys and says what they mean', async () => {
  await newStack('schema')
  await using opened = await journey.openSignedIn('/stacks/schema/files')
  const { page } = opened
  await seenHover(page.locator('.cm-content').getByText('restart', { exact: true }))
  await page.getByText('When the Engine restarts a container').waitFor()
  await addAtEnd(page, 'netwo')
  await page.keyboard.type('r')
  await page.locator('.cm-completionLabel', { hasText: 'networks' }).waitFor()
  await screenshot(page, 'files-completion')
  // For 75 ms the list of completions takes no Enter, so that no one accepts it unread.
  await page.waitForTimeout(200)
  await page.keyboard.press('Enter')
  await expect.poll(() => textOf(page)).toContain('networks:')
})

test('values of .env and secret files are shown only when asked for', async () => {
  await newStack('masked')
  await using opened = await journey.openSignedIn('/stacks/masked/files?file=.env')
  const { page } = opened
  await page.locator('.cm-content').waitFor()
  expect(await textOf(page)).not.toContain('1.29')
  await seenClick(page.getByRole('button', { name: 'Show values' }))
  await expect.poll(() => textOf(page)).toContain('TAG=1.29')
  await addAtEnd(page, 'PASSWORD=hunter2\n')
  expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('hunter2')
  await seenClick(page.getByRole('button', { name: 'Save' }))
  await page.getByText('Saved 1 file as revision 2').waitFor()
  await seenClick(page.getByRole('link', { name: /tls\.key/ }))
  await page.getByText('The content is hidden').waitFor()
  await seenClick(page.getByRole('button', { name: 'Show the content' }))
  await expect.poll(() => textOf(page)).toContain('a private key')
})

test('changes of two people are merged, and a line that both changed is asked about', async () => {
  await newStack('both')
  await using opened = await journey.openSignedIn('/stacks/both/files', { expected: /409/ })
  const { page } = opened
  await page.locator('.cm-content').waitFor()
  await seenClick(page.getByText('MODE'))
  await page.keyboard.press('End')
  await page.keyboard.insertText('-mine')
  const theirs = compose.replace('normal', 'theirs').replace('unless-stopped', 'always')
  const change = { content: theirs, revision: 1 }
  const saved = await call('PUT', '/stacks/both/file?path=compose.yaml', change)
  expect(saved.status).toBe(200)
  await seenClick(page.getByRole('button', { name: 'Save' }))
  await page.getByRole('heading', { name: 'Merge your changes of compose.yaml' }).waitFor()
  await page.getByText('changed the same lines in 1 place').waitFor()
  await page.locator('.files-merge .cm-content').waitFor()
  await screenshot(page, 'files-merge')
  expect(await axeViolations(page)).toEqual([])
  await seenClick(page.getByRole('button', { name: 'Save this' }))
  await page.getByText('Saved 1 file as revision 3').waitFor()
  const { content } = await stored('both')
  expect(content).toBe(compose.replace('normal', 'normal-mine').replace('unless-stopped', 'always'))
})

test('files are created, changed, uploaded, downloaded and deleted', async () => {
  await newStack('tree')
  await using opened = await journey.openSignedIn('/stacks/tree/files', { expected: /404/ })
  const { page } = opened
  await seenClick(page.getByRole('button', { name: 'New file' }))
  await seenFill(page.getByLabel('Path'), 'conf/new.txt')
  await page.keyboard.press('Enter')
  await page.getByText('conf/new.txt created').waitFor()
  await page.locator('.cm-content').waitFor()
  await seenClick(page.getByRole('button', { name: 'Actions of conf/new.txt' }))
  await seenClick(page.getByRole('menuitem', { name: 'Rename and permissions' }))
  await seenFill(page.getByLabel('Path'), 'conf/old.sh')
  await seenFill(page.getByLabel('Permissions'), '0755')
  await seenClick(page.getByRole('button', { name: 'Change file' }))
  await page.getByText('conf/old.sh changed').waitFor()
  expect(await stored('tree', 'conf/old.sh')).toMatchObject({ mode: '0755', content: '' })
  await seenClick(page.getByRole('button', { name: 'Upload files' }))
  const chosen = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from([137, 80, 0, 255]) }
  await seenChooseFiles(page.getByRole('button', { name: 'Choose files' }), chosen)
  await seenClick(page.getByRole('button', { name: 'Upload 1 file' }))
  await page.getByText('1 file uploaded').waitFor()
  expect((await stored('tree', 'logo.png')).base64).toBe('iVAA/w==')
  await seenClick(page.getByRole('link', { name: 'logo.png' }))
  await page.getByText('This file is not text').waitFor()
  const download = page.waitForEvent('download')
  await seenClick(page.getByRole('button', { name: 'Actions of logo.png' }))
  await seenClick(page.getByRole('menuitem', { name: 'Download' }))
  expect((await download).suggestedFilename()).toBe('logo.png')
  await seenClick(page.getByRole('button', { name: 'Actions of logo.png' }))
  await seenClick(page.getByRole('menuitem', { name: 'Delete file' }))
  await seenClick(page.getByRole('button', { name: 'Delete file' }).last())
  await page.getByText('logo.png deleted').waitFor()
  expect((await call('GET', '/stacks/tree/file?path=logo.png')).status).toBe(404)
})

test('a viewer reads, and secret files are named only', async () => {
  await newStack('viewed')
  const viewer = { username: 'viewer', password: 'a long password' }
  const made = await call('POST', '/users', { ...viewer, role: 'viewer' })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  await using opened = await journey.openSignedIn('/stacks/viewed/files', { as: viewer })
  const { page } = opened
  await page.locator('.cm-content').waitFor()
  expect(await page.locator('.cm-content').getAttribute('contenteditable')).toBe('false')
  expect(await page.getByRole('button', { name: /^(Save|New file|Upload)/ }).count()).toBe(0)
  await seenClick(page.getByRole('link', { name: /tls\.key/ }))
  await page.getByText('You need the permission stacks:secrets').waitFor()
  await screenshot(page, 'files-viewer')
})
