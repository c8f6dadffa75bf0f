import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { docker } from '../harness/docker.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { newPlace, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { startBrowser } from './harness/browser.ts'
import { screenshot } from './harness/screenshot.ts'
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

/** Deploys by the plan that is shown, and waits for its end on the page of the deployment. */
async function deployPlan(page: Page): Promise<void> {
  await page
    .locator('.deploy-form')
    .getByRole('button', { name: `Deploy ${name}` })
    .click()
  await page.waitForURL(/\/deployments\/[0-9a-f-]{36}$/)
  await page.locator('.deployment-line').getByText('Succeeded').waitFor()
}

/** Selects a word of the editor, and replaces it. */
async function replaceWord(page: Page, word: string, by: string): Promise<void> {
  await page.locator('.files-main .cm-content').getByText(word).first().dblclick()
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
    await page.getByLabel('Set-up secret').fill(place.env.SERVICE_SETUP_SECRET ?? '')
    await page.getByLabel('User name').fill('admin')
    await page.getByLabel('Password').fill(place.password)
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await page.getByText('No stacks yet').waitFor()
    await screenshot(page, 'first-day-home')

    // The first stack, from a folder.
    await page.getByRole('link', { name: 'Create stack' }).last().click()
    await tab(page, 'Folder').click()
    await page.locator('input[type=file]').setInputFiles(writeProject(place.directory))
    await page.getByText('2 files are sent').waitFor()
    await page.getByRole('button', { name: `Create ${name}` }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await tableOf(page).getByText('Not started').waitFor()

    // A broken edit is refused at its line, and accepted once it is right.
    await tab(page, 'Files').click()
    await page.locator('.files-main .cm-content').waitFor()
    await replaceWord(page, 'environment', 'enviroment')
    const problem = page.getByRole('button', { name: /compose\.yaml:6.*enviroment/ })
    await problem.waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The files were not saved').first().waitFor()
    await screenshot(page, 'first-day-refused')
    await problem.click()
    const active = page.locator('.cm-editor.cm-focused .cm-activeLine')
    await expect.poll(() => active.textContent()).toBe('    enviroment:')
    await replaceWord(page, 'enviroment', 'environment')
    await replaceWord(page, 'green', 'blue')
    await page.getByText('No problems').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved 1 file as revision 2').waitFor()

    // The plan of the first deploy, and its end.
    await page.getByRole('button', { name: `Deploy ${name}` }).click()
    const plan = page.getByRole('table', { name: 'Containers' })
    await plan.getByText(`${name}-web-1`).waitFor()
    await screenshot(page, 'first-day-plan')
    await deployPlan(page)

    // Its log, and a shell in it.
    await tab(page, 'Logs').click()
    await page.getByText('blue is served', { exact: true }).waitFor()
    await tab(page, 'Services').click()
    await tableOf(page).getByText('Running', { exact: true }).waitFor()
    await tableOf(page)
      .getByRole('button', { name: `Actions of ${name}-web-1` })
      .click()
    await page.getByRole('menuitem', { name: 'Terminal of web' }).click()
    await page.locator('.xterm-screen').waitFor()
    await page.locator('.xterm-helper-textarea').focus()
    await expect.poll(() => docker('exec', `${name}-web-1`, 'ps')).toMatch(/\bsh$/m)
    await page.keyboard.type('echo $COLOUR > /tmp/seen\n')
    const seen = () => docker('exec', `${name}-web-1`, 'sh', '-c', 'cat /tmp/seen || true')
    await expect.poll(seen).toBe('blue')

    // A change is planned as a difference, and deployed.
    await tab(page, 'Overview').click()
    await page.getByRole('link', { name, exact: true }).click()
    await tab(page, 'Files').click()
    await page.locator('.files-main .cm-content').waitFor()
    await replaceWord(page, 'blue', 'red')
    await page.getByText('No problems').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved 1 file as revision 3').waitFor()
    await page.getByText('Saved changes are not deployed').waitFor()
    await page.getByRole('button', { name: `Deploy ${name}` }).click()
    await plan.getByText('environment').waitFor()
    await page.getByText('1 recreated').waitFor()
    await page.locator('.diff .removed').getByText('COLOUR: "blue"').waitFor()
    await page.locator('.diff .added').getByText('COLOUR: "red"').waitFor()
    await deployPlan(page)
    await expect.poll(logged).toBe('red is served')

    // Back to what ran before.
    await tab(page, 'Deployments').click()
    const history = page.getByRole('table', { name: 'Deployments' })
    await history.getByRole('button', { name: 'Roll back to revision 2' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('.diff .removed').getByText('COLOUR: "red"').waitFor()
    await dialog.getByRole('button', { name: `Roll back ${name}` }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.deployment-line').getByText('Succeeded').waitFor()
    await tab(page, 'Logs').click()
    await page.getByText('blue is served', { exact: true }).waitFor()
    await expect.poll(logged).toBe('blue is served')
    await page.getByRole('link', { name: 'Home' }).first().click()
    await page.getByText('Nothing is wrong').waitFor()
    await screenshot(page, 'first-day-end')
  } finally {
    await browser.close()
    await removeFromEngine(name)
    await place.remove()
  }
})
