import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { newPlace, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { startBrowser } from './harness/browser.ts'
import { screenshot } from './harness/screenshot.ts'
import { seenChooseFiles, seenClick, seenDoubleClick, seenFill } from './harness/seen-click.ts'
import { openPage } from './harness/watched-page.ts'

const name = unique('first-day')
const compose = `services:
  web:
    image: busybox:latest
    stop_grace_period: 0s
    command: ['sh', '/conf/start.sh']
    environment:
      COLOUR: "green"
    volumes:
      - ./conf:/conf:ro
`
const script = `echo "$COLOUR is served"
exec sleep 3600
`

/** Writes the folder of a project, as it is on the machine of a user. */
function writeProject(directory: string): string {
  mkdirSync(join(directory, name, 'conf'), { recursive: true })
  writeFileSync(join(directory, name, 'compose.yaml'), compose)
  writeFileSync(join(directory, name, 'conf', 'start.sh'), script)
  return join(directory, name)
}

const tab = (page: Page, label: string) =>
  page.locator('nav.tabs').getByRole('link', { name: label, exact: true }).first()

/** Deploys by the plan that is shown, and waits for its end on the page of the stack. */
async function deployPlan(page: Page): Promise<void> {
  await seenClick(page.locator('.deploy-form').getByRole('button', { name: `Deploy ${name}` }))
  await page.waitForURL(/\?deployment=[0-9a-f-]{36}$/)
  await page.locator('.deployment-line').getByText('Deployed in').waitFor()
}

/** Selects a word of the editor, and replaces it. */
async function replaceWord(page: Page, word: string, by: string): Promise<void> {
  await seenDoubleClick(page.locator('.files-main .cm-content').getByText(word).first())
  await page.keyboard.insertText(by)
  // Completions, and what the word under the mouse means, are shown over the next lines.
  await page.keyboard.press('Escape')
  await page.mouse.move(0, 0)
  await page.locator('.cm-tooltip').first().waitFor({ state: 'detached' })
}

const logged = () => docker('logs', `${name}-web-1`)

const tableOf = (page: Page) => page.getByRole('table', { name: 'Services' })

test('the first day: from the secret of the log to a rollback, on one page', async () => {
  const place = newPlace()
  const browser = await startBrowser()
  try {
    const running = await startIn(place)
    const { port } = new URL(running.url)
    // A broken file is refused with 422, also where it is checked.
    await using opened = await openPage(browser, `http://nas:${port}/`, {
      expected: /status of 422/,
    })
    const { page } = opened

    // The first start.
    await seenFill(page.getByLabel('Set-up secret'), place.env.SERVICE_SETUP_SECRET ?? '')
    await seenFill(page.getByLabel('User name'), 'admin')
    await seenFill(page.getByLabel('Password'), place.password)
    await seenClick(page.getByRole('button', { name: 'Create administrator' }))
    await page.getByText('No stacks yet').waitFor()
    await screenshot(page, 'first-day-home')

    // The first stack, from a folder.
    await seenClick(page.getByRole('link', { name: 'Create stack' }).last())
    await seenClick(tab(page, 'Folder'))
    const folder = page.getByRole('button', { name: 'Choose a folder' })
    await seenChooseFiles(folder, writeProject(place.directory))
    await page.getByText('2 files are sent').waitFor()
    await seenClick(page.getByRole('button', { name: `Create ${name}` }))
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await tableOf(page).getByText('Not started').waitFor()

    // A broken edit is refused at its line, and accepted once it is right.
    await seenClick(tab(page, 'Files'))
    await page.locator('.files-main .cm-content').waitFor()
    await replaceWord(page, 'environment', 'enviroment')
    const problem = page.getByRole('button', { name: /compose\.yaml:6.*enviroment/ })
    await problem.waitFor()
    await seenClick(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByText('The files were not saved').first().waitFor()
    await screenshot(page, 'first-day-refused')
    await seenClick(problem)
    const active = page.locator('.cm-editor.cm-focused .cm-activeLine')
    await expect.poll(() => active.textContent()).toBe('    enviroment:')
    await replaceWord(page, 'enviroment', 'environment')
    await replaceWord(page, 'green', 'blue')
    await page.getByText('No problems').waitFor()
    await seenClick(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByText('Saved 1 file as revision 2').waitFor()

    // The plan of the first deploy, and its end.
    await seenClick(page.getByRole('button', { name: `Deploy ${name}` }))
    const plan = page.getByRole('table', { name: 'Containers' })
    await plan.getByText(`${name}-web-1`).waitFor()
    await screenshot(page, 'first-day-plan')
    await deployPlan(page)

    // Its log, and a shell in it.
    await seenClick(tab(page, 'Logs'))
    await page.getByText('blue is served', { exact: true }).waitFor()
    await seenClick(tab(page, 'Services'))
    await tableOf(page).getByText('Running', { exact: true }).waitFor()
    await seenClick(tableOf(page).getByRole('button', { name: `Actions of ${name}-web-1` }))
    await seenClick(page.getByRole('menuitem', { name: 'Terminal of web' }))
    await page.locator('.xterm-screen').waitFor()
    await page.locator('.xterm-helper-textarea').focus()
    await expect.poll(() => docker('exec', `${name}-web-1`, 'ps')).toMatch(/\bsh$/m)
    await page.keyboard.type('echo $COLOUR > /tmp/seen\n')
    const seen = () => docker('exec', `${name}-web-1`, 'sh', '-c', 'cat /tmp/seen || true')
    await expect.poll(seen).toBe('blue')

    // A change is planned as a difference, and deployed.
    await seenClick(tab(page, 'Overview'))
    await seenClick(page.getByRole('link', { name, exact: true }))
    await seenClick(tab(page, 'Files'))
    await page.locator('.files-main .cm-content').waitFor()
    await replaceWord(page, 'blue', 'red')
    await page.getByText('No problems').waitFor()
    await seenClick(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByText('Saved 1 file as revision 3').waitFor()
    await page.getByText('Saved changes are not deployed').waitFor()
    await seenClick(page.getByRole('button', { name: `Deploy ${name}` }))
    await plan.getByText('environment').waitFor()
    await page.getByText('1 recreated').waitFor()
    await page.locator('.diff .removed').getByText('COLOUR: "blue"').waitFor()
    await page.locator('.diff .added').getByText('COLOUR: "red"').waitFor()
    await deployPlan(page)
    await expect.poll(logged).toBe('red is served')

    // Back to what ran before.
    await seenClick(tab(page, 'Deployments'))
    const history = page.getByRole('table', { name: 'Deployments' })
    await seenClick(history.getByRole('button', { name: 'Roll back to revision 2' }))
    const dialog = page.getByRole('dialog')
    await dialog.locator('.diff .removed').getByText('COLOUR: "red"').waitFor()
    await seenClick(dialog.getByRole('button', { name: `Roll back ${name}` }))
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.deployment-line').getByText('Rolled back in').waitFor()
    await seenClick(tab(page, 'Logs'))
    await page.getByText('blue is served', { exact: true }).waitFor()
    await expect.poll(logged).toBe('blue is served')
    await seenClick(page.getByRole('link', { name: 'Home' }).first())
    await page.getByText('Nothing is wrong').waitFor()
    await screenshot(page, 'first-day-end')
  } finally {
    await browser.close()
    await removeFromEngine(name)
    await place.remove()
  }
})
