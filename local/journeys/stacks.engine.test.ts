import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../harness/service.ts'
import { appearanceProblems, viewportsOfStory } from './harness/appearance.ts'
import { follow, type Journey, keysWork, startJourney } from './harness/journey.ts'
import { screenshot } from './harness/screenshot.ts'
import { seenCheck, seenClick, seenFill, seenHover, seenSelect } from './harness/seen-click.ts'

let journey: Journey
const compose = 'services:\n  web:\n    image: busybox:latest\n    command: sleep 3600\n'
const names = ['blog', 'media', 'shop', 'wiki']
const viewer = { username: 'viewer', password: 'a-long-password' }

const updated = {
  host_id: 'local',
  host_name: 'local',
  state: 'newer',
  reason: null as string | null,
  running: [],
  newer: { digest: `sha256:${'1'.repeat(64)}`, seen_at: '2026-11-01T08:00:00.000Z' } as
    | object
    | null,
  next: { kind: 'by_hand', at: null, reason: 'the mode of the update policy is not apply' },
  newer_tags: [
    { tag: '1.38', change: 'minor' },
    { tag: '2.0', change: 'major' },
  ],
  source_url: 'https://example.org/notes',
  checked_at: '2026-11-01T14:00:00.000Z',
  next_check_at: '2126-11-01T20:00:00.000Z',
}

const post = (path: string, body: unknown) => {
  const { running, token } = journey
  return api(running, 'POST', path, { token, body })
}

beforeAll(async () => {
  journey = await startJourney()
  for (const name of names) await post('/stacks', { name, compose })
  await post('/users', { ...viewer, role: 'viewer' })
})
afterAll(() => journey?.close())

describe.each(viewportsOfStory(390))('opened at $width px', (look) => {
  test('home and the stacks have no violation that axe finds', async () => {
    await using opened = await journey.openSignedIn('/', look)
    const { page } = opened
    for (const path of ['/', '/stacks']) {
      if (path !== '/') await follow(page, path)
      await page.getByRole('link', { name: 'shop', exact: true }).waitFor()
      const problems = await appearanceProblems(page, `stacks${path.replaceAll('/', '-')}`)
      expect(problems, path).toEqual([])
    }
  })
})

test('a press at home counts, though what is above it arrives late', async () => {
  await using opened = await journey.openSignedIn('/')
  const { page } = opened
  const link = page.getByRole('link', { name: 'shop', exact: true })
  await link.waitFor()
  // What is above the stacks arrives last, and the figures of the host during the press.
  const held: Route[] = []
  const hold = (route: Route) => void held.push(route)
  const above = /\/api\/v1\/(hosts|alerts|containers)(\?|$)/
  await page.route(above, hold)
  await page.route(/\/hosts\/[^/]+\/metrics/, hold)
  const stacks = page.waitForResponse('**/api/v1/stacks')
  await page.reload()
  await stacks
  await expect.poll(() => held.length).toBeGreaterThanOrEqual(3)
  await keysWork(page)
  expect(await link.count()).toBe(0)
  await page.unroute(above)
  for (const route of held.splice(0)) await route.continue()
  await link.waitFor()
  const figures = () => held.find((route) => route.request().url().includes('/hosts/local/'))
  await expect.poll(figures).toBeDefined()

  const before = await link.boundingBox()
  await seenHover(link)
  await page.mouse.down()
  await figures()?.fulfill({ json: [] })
  await page.getByText('No figures yet').waitFor()
  expect(await link.boundingBox()).toEqual(before)
  await page.mouse.up()
  await page.waitForURL('**/stacks/shop')
})

test('home says that an upgrade filled settings, until an admin dismisses it', async () => {
  const { running, token } = journey
  await api(running, 'PUT', '/settings', { token, body: { 'stacks.lists_filled': true } })
  await using opened = await journey.openSignedIn('/')
  const { page } = opened
  const notice = page.locator('.notices').getByText('The upgrade listed')
  await notice.waitFor()
  expect(await appearanceProblems(page, 'stacks-lists-filled')).toEqual([])
  await seenClick(page.getByRole('link', { name: 'Show the settings' }))
  await page.getByLabel('Shared volumes').waitFor()
  await page.goBack()
  await seenClick(page.getByRole('button', { name: 'Dismiss' }))
  await notice.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: 'shop', exact: true }).waitFor()
  expect(await notice.count()).toBe(0)
})

test('filter and order are in the address, and can be cleared', async () => {
  await using opened = await journey.openSignedIn('/stacks?filter=shop')
  const { page } = opened
  const links = page.locator('main .table a.link')
  await expect.poll(() => links.allTextContents()).toEqual(['shop'])
  await seenFill(page.getByLabel('Filter stacks'), 'nothing')
  await page.getByText('Nothing matches the filter').waitFor()
  expect(new URL(page.url()).search).toBe('?filter=nothing')
  await seenClick(page.getByRole('button', { name: 'Clear the filter' }))
  const own = async () => (await links.allTextContents()).filter((name) => names.includes(name))
  await expect.poll(own).toEqual(names)
  const head = page.getByRole('columnheader', { name: 'Stack' }).getByRole('button')
  await seenClick(head)
  await seenClick(head)
  await expect.poll(own).toEqual(names.toReversed())
  expect(new URL(page.url()).search).toBe('?sort=-name')
  await page.reload()
  await expect.poll(own).toEqual(names.toReversed())
  await seenClick(head)
  await expect.poll(own).toEqual(names)
  await seenSelect(page.getByLabel('State', { exact: true }), 'running')
  await page.getByText('Nothing matches the filter').waitFor()
})

test('a newer image is marked once it is known, and leads to a deploy that pulls', async () => {
  await using opened = await journey.openSignedIn('/account')
  const { page } = opened
  const newer = { stack: 'wiki', service: 'web', image: 'busybox:latest', ...updated }
  const items = [newer, { ...newer, stack: 'blog', state: 'unknown', newer: null, reason: 'quota' }]
  let answer = () => {}
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/api\/v1\/updates\?/, async (route) => {
    await isAnswered
    const query = new URL(route.request().url()).searchParams
    const json = items.filter(({ state }) => (query.get('state') ?? state) === state)
    await route.fulfill({
      json: query.has('stack') ? json : { items: json, unreachable_hosts: [] },
    })
  })
  const asked = page.waitForRequest('**/api/v1/updates?*')
  await follow(page, '/stacks')
  await asked
  const row = page.getByRole('row', { name: 'wiki' })
  await row.waitFor()
  expect(await row.innerText()).not.toContain('update')
  answer()
  await row.getByText('1 update').waitFor()
  await seenSelect(page.getByLabel('State', { exact: true }), 'newer')
  const links = page.locator('main .table a.link')
  await expect.poll(() => links.allTextContents()).toEqual(['wiki'])
  await seenClick(links)
  await page.getByText('busybox:latest has a newer image').waitFor()
  const versions = '1.38 minor, 2.0 major'
  await page.getByText(`Newer versions of busybox:latest: ${versions}`).waitFor()

  await follow(page, '/updates')
  await page.getByRole('row', { name: 'wiki' }).waitFor()
  expect(await appearanceProblems(page, 'stacks-updates')).toEqual([])
  await seenSelect(page.getByLabel('State', { exact: true }), 'unknown')
  const blog = page.getByRole('row', { name: 'blog' })
  await blog.getByText('quota').waitFor()
  await blog.getByText(`Newer versions: ${versions}`).waitFor()
  await seenSelect(page.getByLabel('State', { exact: true }), 'newer')
  const notes = page.getByRole('link', { name: 'Release notes' })
  expect(await notes.getAttribute('href')).toBe(updated.source_url)
  await seenClick(page.getByRole('link', { name: 'Deploy… wiki' }))
  await expect.poll(() => page.getByLabel('Pull images').inputValue()).toBe('always')
  await page.getByRole('row', { name: 'fetch' }).waitFor()
})

test('nothing newer is known while the only host with services is missing', async () => {
  await using opened = await journey.openSignedIn('/account')
  const { page } = opened
  const away = { host_id: 'local', host_name: 'local', error: 'host local: it does not answer' }
  await page.route(/\/api\/v1\/updates\?/, (route) =>
    route.fulfill({ json: { items: [], unreachable_hosts: [away] } }),
  )
  await follow(page, '/updates')
  await page.getByText('local is missing from this list').waitFor()
  await page.getByText('No newer image is known').waitFor()
  await page.getByText('No host that answers has services.').waitFor()
  expect(await appearanceProblems(page, 'stacks-updates-missing')).toEqual([])
  await seenSelect(page.getByLabel('State', { exact: true }), 'current')
  await page.waitForURL('**/updates?state=current')
  await page.getByText('No newer image is known').waitFor()
})

test('several stacks are removed with one question', async () => {
  for (const name of ['old-1', 'old-2', 'old-3']) await post('/stacks', { name, compose })
  await using opened = await journey.openSignedIn('/stacks?filter=old')
  const { page } = opened
  const selected = () => new URL(page.url()).searchParams.get('selected')
  await seenCheck(page.getByLabel('Select old-1'))
  await page.getByRole('link', { name: 'old-3' }).focus()
  await page.keyboard.press('X')
  await expect.poll(selected).toBe('old-1,old-2,old-3')
  await page.keyboard.press('x')
  await expect.poll(selected).toBe('old-1,old-2')
  await screenshot(page, 'stacks-selected')
  await seenClick(page.locator('.selection-bar').getByRole('button', { name: 'Actions' }))
  await seenClick(page.getByRole('menuitem', { name: 'Delete 2 stacks' }))
  await page.getByRole('dialog', { name: 'Delete 2 stacks?' }).waitFor()
  await screenshot(page, 'stacks-remove')
  await seenFill(page.getByLabel('Type 2 to confirm'), '2')
  await page.keyboard.press('Enter')
  await page.getByText('Deleted 2 stacks').waitFor()
  const links = page.locator('main .table a.link')
  await expect.poll(() => links.allTextContents()).toEqual(['old-3'])
})

test('a viewer sees no action that would be refused', async () => {
  await using opened = await journey.openSignedIn('/stacks', { as: viewer })
  const { page } = opened
  await page.getByRole('link', { name: 'shop', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Create stack' }).count()).toBe(0)
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await page.goto(`http://127.0.0.1:${journey.port}/stacks/+new`)
  await page.getByText('You need the permission stacks:create').waitFor()
})

test('a row opens by keyboard alone', async () => {
  await using opened = await journey.openSignedIn('/stacks')
  const { page } = opened
  await page.getByRole('link', { name: 'blog' }).waitFor()
  await keysWork(page)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/stacks/media')
})
