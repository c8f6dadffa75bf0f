import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { api } from '../harness/service.ts'
import {
  choose,
  leaveEditor,
  pressBoth,
  tabTo,
  unreachedByTab,
  untilFocused,
} from './harness/by-keyboard.ts'
import { type Journey, keysWork, loaded, startJourney } from './harness/journey.ts'

const name = 'journey-keyboard'
const compose = `name: ${name}
services:
  web:
    image: busybox:latest
    command: sh -c 'echo hello from the keyboard; sleep 3600'
    stop_grace_period: 0s
`
let journey: Journey

beforeAll(async () => {
  journey = await startJourney()
})
afterAll(async () => {
  const left = docker('ps', '-aq', '--filter', `label=com.docker.compose.project=${name}`)
  if (left) docker('rm', '-f', ...left.split('\n').filter(Boolean))
  await journey?.close()
})

const call = (method: string, path: string, body?: unknown) =>
  api(journey.running, method, path, { token: journey.token, body })

test('the first stack is made, deployed, read and stopped by keyboard alone', async () => {
  await using opened = await journey.open('/')
  const { page } = opened
  const { keyboard } = page
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await tabTo(page, 'User name')
  await keyboard.type('admin')
  await keyboard.press('Tab')
  await keyboard.type(journey.place.password)
  await keyboard.press('Enter')
  await page.locator('#content h1').waitFor()
  await untilFocused(page, 'Home')

  await keysWork(page)
  await pressBoth(page, 'g', 's')
  await untilFocused(page, 'Stacks')
  await keysWork(page)
  await keyboard.press('c')
  await untilFocused(page, 'Create a stack')
  await page.locator('.cm-content').waitFor()
  await tabTo(page, 'compose.yaml')
  await keyboard.insertText(compose)
  await page.getByText('No problems').waitFor()
  await leaveEditor(page, 'compose.yaml')
  await tabTo(page, `Create ${name}`)
  await keyboard.press('Enter')
  await untilFocused(page, name)
  expect(new URL(page.url()).pathname).toBe(`/stacks/${name}`)

  await page.getByRole('button', { name: `Deploy ${name}` }).waitFor()
  await keysWork(page)
  await keyboard.press('d')
  await untilFocused(page, `Deploy ${name}`)
  await keyboard.press('Enter')
  await page.locator('.deployment-line').getByText('Deployed in').waitFor()
  await untilFocused(page, name)
  await keysWork(page)
  await keyboard.press('l')
  await page.getByText('hello from the keyboard', { exact: true }).waitFor()
  await untilFocused(page, name)

  await keysWork(page)
  await pressBoth(page, 'g', 's')
  await untilFocused(page, 'Stacks')
  await page.getByRole('link', { name }).first().waitFor()
  await keysWork(page)
  await keyboard.press('j')
  await untilFocused(page, name)
  await keyboard.press('Enter')
  await page.getByRole('table', { name: 'Services' }).waitFor()
  await choose(page, `Actions of ${name}`, `Stop ${name}`)
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  expect(await page.evaluate('document.activeElement.closest("dialog") !== null')).toBe(true)
  await tabTo(page, `Stop ${name}`)
  // The line is gone after a while.
  const told = page.getByText(`Stopped ${name} in`).waitFor()
  await Promise.all([told, keyboard.press('Enter')])
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(page, `Actions of ${name}`)
})

test('Escape closes what is open, and the focus returns to what opened it', async () => {
  await using opened = await journey.openSignedIn(`/stacks/${name}`)
  const { page } = opened
  await page.getByRole('button', { name: `Deploy ${name}` }).waitFor()
  await choose(page, `Actions of ${name}`, `Delete ${name}`)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await untilFocused(page, `Actions of ${name}`)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search and actions' }).waitFor()
  await page.keyboard.press('Escape')
  await untilFocused(page, `Actions of ${name}`)
})

test('the row after one that is deleted gets the focus, and the title once a page is gone', async () => {
  for (const one of ['journey-keyboard-a', 'journey-keyboard-b', 'journey-keyboard-c'])
    await call('POST', '/stacks', { name: one, compose: compose.replace(/^name.*\n/, '') })
  // The event of the deletion can arrive before the page leaves the stack.
  await using opened = await journey.openSignedIn('/stacks', { expected: /404/ })
  const { page } = opened
  await page.getByRole('link', { name: 'journey-keyboard-b' }).waitFor()
  await choose(page, 'Actions of journey-keyboard-b', 'Delete journey-keyboard-b')
  await untilFocused(page, 'Type journey-keyboard-b to confirm')
  await page.keyboard.type('journey-keyboard-b')
  await tabTo(page, 'Delete journey-keyboard-b')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'journey-keyboard-b' }).waitFor({ state: 'detached' })
  await untilFocused(page, 'journey-keyboard-c')
  await page.keyboard.press('Enter')
  await untilFocused(page, 'journey-keyboard-c')
  await page.getByRole('button', { name: 'Deploy journey-keyboard-c' }).waitFor()
  await choose(page, 'Actions of journey-keyboard-c', 'Delete journey-keyboard-c')
  await page.getByRole('dialog').waitFor()
  await tabTo(page, 'Delete journey-keyboard-c')
  await page.keyboard.press('Enter')
  await untilFocused(page, 'Stacks')
})

test('Tab leads to everything that can be clicked, on every page', async () => {
  await call('POST', '/stacks', { name, compose: compose.replace(/^name.*\n/, '') })
  await call('POST', `/stacks/${name}/deploy`, {})
  const container = docker('ps', '-q', '--no-trunc', '--filter', `name=${name}-web-1`)
  const ofStack = ['', '/logs', '/files', '/deploy', '/deployments', '/backups', '/events']
  const ofContainer = ['', '/logs', '/charts', '/processes', '/inspect']
  const paths = [
    ...['/', '/stacks', '/stacks/+new', '/stacks/+new/folder', '/stacks/+new/run'],
    ...ofStack.map((tab) => `/stacks/${name}${tab}`),
    ...['/containers', '/logs', `/logs?stacks=${name}`],
    ...ofContainer.map((tab) => `/containers/local/${container}${tab}`),
    ...['/hosts', '/hosts/local', '/hosts?open=enrol', '/images', '/images?open=pull'],
    ...[
      '/images?open=prune',
      '/updates',
      '/volumes',
      '/networks',
      '/registries',
      '/alerts',
      '/alerts/rules',
    ],
    ...['/alerts/rules?rule=new', '/alerts/history', '/alerts/channels', '/backups'],
    ...['/backups?edit=new', '/backups/runs', '/users', '/users/roles', '/audit', '/settings'],
    ...['/settings/sign-in', '/settings/keys', '/settings/update-policies', '/account'],
    ...['/nothing/here', '/hosts/none'],
  ]
  await using opened = await journey.openSignedIn('/', { expected: /404/ })
  const { page } = opened
  const missed: string[] = []
  for (const path of paths) {
    await page.goto(`${journey.running.url}${path}`)
    await loaded(page)
    missed.push(...(await unreachedByTab(page)).map((html) => `${path}: ${html}`))
  }
  expect(missed).toEqual([])
  await page.getByText('There is no such host').waitFor()
})
