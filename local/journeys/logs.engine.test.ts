import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { api, until } from '../harness/service.ts'
import { appearanceProblems, viewportsOfStory } from './harness/appearance.ts'
import { follow, type Journey, startJourney } from './harness/journey.ts'
import { seenCheck, seenClick, seenFill } from './harness/seen-click.ts'
import type { WatchedPage } from './harness/watched-page.ts'

const name = 'journey-logs'
const line = '{"level":"warn","msg":"slow query","ms":1200}'
/** Ends what was deployed at once. */
const quick = 'stop_grace_period: 0s'
const past = (lines: number) => `for n in $(seq 1 ${lines}); do echo "GET /item/$n 200"; done`
const scripts = {
  web: `${past(300)}; echo '${line}'; printf '\\033[31mno disk\\033[0m\\n'; exec sleep 3600`,
  db: `${past(2500)}; while sleep 1; do echo tick; done`,
}
/** Returns a script as a value of the compose file, where \`$\` begins a variable. */
const quoted = (script: string) => JSON.stringify(script.replaceAll('$', '$$$$'))
const compose = `services:
  web:
    image: busybox:latest
    ${quick}
    environment: {TOKEN: hunter2}
    command: ['sh', '-c', ${quoted(scripts.web)}]
  db:
    image: busybox:latest
    ${quick}
    command: ['sh', '-c', ${quoted(scripts.db)}]
    volumes: [data:/data]
volumes: {data: {}}
`
let journey: Journey
let web: string
let db: string

const call = (method: string, path: string, body?: unknown) =>
  api(journey.running, method, path, { token: journey.token, body })

beforeAll(async () => {
  journey = await startJourney({ SERVICE_METRICS_SAMPLE_SECONDS: '1' })
  // A busy machine reads a compose file too slowly for the service's time limit.
  const made = await until(
    () => call('POST', '/stacks', { name, compose }),
    ({ status }) => status !== 500,
  )
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  await call('POST', `/stacks/${name}/deploy`, {})
  const status = () => call('GET', `/stacks/${name}/status`)
  const { json } = await until(status, ({ json: found }) =>
    found.every?.(({ state }: { state: string }) => state === 'running'),
  )
  const idOf = (name: string) =>
    json.find(({ service }: { service: string }) => service === name).container_id
  web = idOf('web')
  db = idOf('db')
})
afterAll(async () => {
  if (!journey) return
  await call('DELETE', `/stacks/${name}?volumes=true`)
  const left = docker('ps', '-aq', '--filter', `label=com.docker.compose.project=${name}`)
  if (left) docker('rm', '-f', ...left.split('\n').filter(Boolean))
  await journey.close()
})

const container = (tab = '', id = web) => `/containers/local/${id}${tab}`

describe.each(viewportsOfStory(390))('opened at $width px', (look) => {
  let opened: WatchedPage
  beforeAll(async () => {
    opened = await journey.openSignedIn('/', look)
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  test.each([
    ['/containers', () => `/containers?filter=${name}`, `${name}-web-1`],
    ['overview', () => container(), 'CPU'],
    ['logs', () => container('/logs'), 'no disk'],
    ['charts', () => container('/charts'), 'Disk'],
    ['processes', () => container('/processes'), 'sleep 3600'],
    ['inspect', () => container('/inspect'), 'TOKEN'],
    ['no-logs', () => '/logs', 'Choose what to follow'],
    ['stack-logs', () => `/stacks/${name}/logs`, 'tick'],
    ['merged-logs', () => `/logs?stacks=${name}`, 'tick'],
  ])('%s has no violation that axe finds', async (file, path, words) => {
    const { page } = opened
    await follow(page, path())
    await page.getByText(words, { exact: false }).first().waitFor()
    if (file === 'charts') await page.locator('.chart canvas').nth(3).waitFor()
    if (file === 'processes') await page.getByText('Started (host time)').first().waitFor()
    if (file === 'merged-logs') await page.getByRole('button', { name, exact: true }).waitFor()
    expect(await appearanceProblems(page, `container-${file.replace('/', '')}`)).toEqual([])
  })

  test('a terminal runs a command, and has no violation that axe finds', async () => {
    const { page } = opened
    await follow(page, container('/terminal'))
    await page.locator('.xterm-screen').waitFor()
    // Where it draws by WebGL its text is not in the page, so the command leaves a file.
    const mark = `/tmp/${look.width}`
    await page.locator('.xterm-helper-textarea').focus()
    await expect.poll(() => docker('exec', web, 'ps')).toMatch(/\bsh$/m)
    await page.keyboard.type(`echo $((6*7)) > ${mark}\n`)
    await expect.poll(() => docker('exec', web, 'sh', '-c', `cat ${mark} || true`)).toBe('42')
    expect(await appearanceProblems(page, 'container-terminal')).toEqual([])
  })
})

test('a terminal that is refused says why', async () => {
  const olga = { username: 'olga', password: 'operator-password-1' }
  await call('POST', '/users', { ...olga, role: 'operator' })
  const socket = '/var/run/docker.sock:/var/run/docker.sock'
  const id = docker('run', '-d', '-v', socket, 'busybox:latest', 'sleep', '3600')
  onTestFinished(() => void docker('rm', '-f', id))
  await using opened = await journey.openSignedIn('/', { as: olga, expected: /403/ })
  const { page } = opened
  // Where it draws by WebGL its text is not in the page.
  await page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null')
  await page.goto(new URL(container('/terminal', id), page.url()).href)
  const shown = () => page.locator('.xterm-rows').textContent()
  await expect.poll(shown).toContain('control of the host by the mount /var/run/docker.sock')
})

test('Ctrl+F searches the log, and marks what it finds', async () => {
  await using opened = await journey.openSignedIn(container('/logs'))
  const { page } = opened
  await page.getByText('slow query').waitFor()
  await page.keyboard.press('Control+f')
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('item/7')
  await page.getByText('11 matches').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText(/^11 of 11$/).waitFor()
  await page.getByText('GET /item/79 200').waitFor()
  expect(await page.evaluate('CSS.highlights.get("log-current").size')).toBe(1)
  await seenClick(page.getByRole('button', { name: 'Use a regular expression' }))
  await seenFill(page.getByLabel('Search the log'), 'item/(1|2)\\d\\d ')
  await page.getByText('200 matches').waitFor()
  await seenClick(page.getByRole('button', { name: 'Show matches only' }))
  await expect.poll(() => page.getByText('slow query').count()).toBe(0)
  // A match among its neighbours.
  await expect.poll(() => page.getByText('GET /item/99 200').count()).toBe(0)
  await seenClick(page.getByText('GET /item/101 200'))
  await page.getByText('GET /item/99 200').waitFor()
  expect(new URL(page.url()).searchParams.get('only')).toBeNull()
})

test('a log is limited to levels and to a time, and the address says so', async () => {
  await using opened = await journey.openSignedIn(container('/logs'))
  const { page } = opened
  await seenClick(page.getByRole('button', { name: /^Warning/ }))
  await page.getByText('slow query').waitFor()
  await expect.poll(() => page.getByText('GET /item/300 200').count()).toBe(0)
  expect(new URL(page.url()).searchParams.get('level')).toBe('warn')
  await seenClick(page.getByRole('button', { name: 'Any time' }))
  await seenFill(page.getByLabel('To', { exact: true }), '2020-01-01T00:00:05')
  await seenClick(page.getByRole('button', { name: 'Show this time' }))
  await page.getByText('No lines in this time.').waitFor()
  await seenClick(page.getByTitle('Time', { exact: true }))
  await seenClick(page.getByRole('button', { name: 'Last hour' }))
  await page.getByText('slow query').waitFor()
  expect(new URL(page.url()).search).toBe('?level=warn&last=1h')
})

test('a reader who scrolled up is not shifted, and comes back to the end', async () => {
  await using opened = await journey.openSignedIn(container('/logs', db))
  const { page } = opened
  await page.getByText('tick').first().waitFor()
  const log = page.getByRole('log')
  const scrollTo = (top: number) =>
    log.evaluate((element, to) => {
      element.scrollTop = to
    }, top)
  await scrollTo(1000)
  await page.getByRole('button', { name: 'Follow' }).waitFor()
  // Rows are drawn a moment after the scroll. The line and its place are read in one step:
  // older lines may be put in front between two.
  const inMiddle = () =>
    page.evaluate<{ text: string; top: number }>(`(() => {
      const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
      const row = middle?.closest('.log-row')
      const [text = ''] = /GET .*/.exec(row?.textContent ?? '') ?? []
      return { text, top: row?.getBoundingClientRect().top ?? 0 }
    })()`)
  const before = await until(inMiddle, ({ text }) => text !== '')
  // A page of older lines is put in front.
  await expect.poll(() => log.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(15_000)
  await page.waitForTimeout(1500)
  expect(await inMiddle()).toEqual(before)
  const begin = page.getByText('The log begins here.')
  const scrollUp = async () => {
    await scrollTo(0)
    return begin.isVisible()
  }
  await expect.poll(scrollUp).toBe(true)
  await page.getByText('GET /item/1 200', { exact: true }).waitFor()
  await seenFill(page.getByLabel('Search the log'), 'GET /item')
  await page.getByText('2,500 matches').waitFor()
  await seenClick(page.getByRole('button', { name: 'Follow' }))
  await page.getByText('tick').first().waitFor()
})

/** Selects from one line to another that is drawn later, and returns what a copy holds. */
const copySelection = `(async () => {
  const element = document.querySelector('[role=log]')
  const textOf = (words) =>
    [...element.querySelectorAll('.log-text')].find((one) => one.textContent === words).firstChild
  const selection = getSelection()
  const begin = textOf('GET /item/2 200')
  selection.setBaseAndExtent(begin, 4, begin, 5)
  await new Promise((resolve) => setTimeout(resolve, 100))
  element.scrollTop = 200 * 20
  await new Promise((resolve) => setTimeout(resolve, 300))
  const end = textOf('GET /item/205 200')
  selection.extend(end, 3)
  const data = new DataTransfer()
  element.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true }))
  return data.getData('text/plain')
})()`

test('a selection is copied from the ring, also lines that are not in the page', async () => {
  await using opened = await journey.openSignedIn(container('/logs'))
  const { page } = opened
  await page.getByText('slow query').waitFor()
  const log = page.getByRole('log')
  await log.evaluate((element) => {
    element.scrollTop = 0
  })
  await page.getByText('GET /item/2 200').waitFor()
  const copied = await page.evaluate<string>(copySelection)
  const lines = copied.split('\n')
  expect(lines).toHaveLength(204)
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(['/item/2 200', 'GET /item/3 200', 'GET'])
})

test('the log of a stack is limited to a service, and the address says so', async () => {
  await using opened = await journey.openSignedIn(`/stacks/${name}/logs`)
  const { page } = opened
  await page.getByText('tick').first().waitFor()
  await seenClick(page.getByRole('button', { name: 'All services' }))
  await seenCheck(page.getByRole('checkbox', { name: 'web' }))
  await expect.poll(() => new URL(page.url()).search).toBe('?service=web')
  await page.getByText('no disk').waitFor()
  await expect.poll(() => page.getByText('tick').count()).toBe(0)
})

test('a log that cannot be read is one line among others, and alone the reason why', async () => {
  const stack = `${name}-mute`
  const service = `image: 'busybox:latest', ${quick}, command: sh -c 'echo hello; exec sleep 3600'`
  const file = `services:
  mute: {${service}, logging: {driver: none}}
  loud: {${service}}
`
  onTestFinished(async () => void (await call('DELETE', `/stacks/${stack}`)))
  await call('POST', '/stacks', { name: stack, compose: file })
  await call('POST', `/stacks/${stack}/deploy`, {})
  const expected = /status of 409|response code: 409/
  await using opened = await journey.openSignedIn(`/stacks/${stack}/logs`, { expected })
  const { page } = opened
  const reason = page.getByText('its log driver (none) does not support it')
  await page.getByText('hello').first().waitFor()
  await expect.poll(() => reason.count()).toBe(1)
  const { json } = await call('GET', `/containers/${stack}-mute-1`)
  for (const path of [`/stacks/${stack}/logs?service=mute`, container('/logs', json.id)]) {
    await page.goto(`${journey.running.url}${path}`)
    await page.getByText('The log could not be read').waitFor()
    await expect.poll(() => reason.count()).toBe(1)
    await page.getByText('Ended', { exact: true }).first().waitFor()
  }
})

test('a line of 2 MB is cut, found, and shown as a whole where it matches', async () => {
  const stack = `${name}-long`
  const fill = (letter: string) => `head -c 1000000 /dev/zero | tr '\\0' ${letter}`
  const script = `echo before; ${fill('x')}; printf NEEDLE; ${fill('y')}; echo; echo after; exec sleep 3600`
  const service = `image: 'busybox:latest', ${quick}, command: [sh, -c, ${quoted(script)}]`
  onTestFinished(async () => void (await call('DELETE', `/stacks/${stack}`)))
  await call('POST', '/stacks', { name: stack, compose: `services: {long: {${service}}}` })
  await call('POST', `/stacks/${stack}/deploy`, {})
  await using opened = await journey.openSignedIn(`/stacks/${stack}/logs?find=NEEDLE`)
  const { page } = opened
  await page.getByText('after', { exact: true }).waitFor()
  await page.getByText('1 match').waitFor()
  await seenClick(page.getByRole('button', { name: 'Show the whole line' }).first())
  const line = page.getByRole('dialog').locator('pre')
  await expect.poll(async () => (await line.textContent())?.length).toBe(2_000_006)
  const isInSight = `(() => {
    const [match] = CSS.highlights.get('log-current') ?? []
    const top = match?.getBoundingClientRect().top ?? 0
    return match?.toString() === 'NEEDLE' && top > 0 && top < innerHeight
  })()`
  await expect.poll(() => page.evaluate(isInSight)).toBe(true)
})

test('at 200 % the end of a log, the prompt of a terminal and a file are in sight', async () => {
  await using opened = await journey.openSignedIn('/')
  const { page } = opened
  await page.setViewportSize({ width: 640, height: 400 })
  const barTop = async () => (await page.locator('.bottom-bar').boundingBox())?.y ?? 0
  for (const [path, place] of [
    [`/stacks/${name}/logs`, '[role=log]'],
    [container('/terminal'), '.terminal-place'],
  ] as const) {
    await follow(page, path)
    await page.locator(place).waitFor()
    const { y = 0, height = 0 } = (await page.locator(place).boundingBox()) ?? {}
    expect(y + height, path).toBeLessThanOrEqual(await barTop())
    expect(height, path).toBeGreaterThanOrEqual(100)
  }
  await follow(page, `/stacks/${name}/files?file=compose.yaml`)
  await page.locator('.cm-scroller').waitFor()
  expect((await page.locator('.cm-scroller').boundingBox())?.height).toBeGreaterThan(150)
})

test('a terminal and charts that cannot be loaded say so', async () => {
  const expected = /ERR_|imported module/
  await using opened = await journey.openSignedIn(container('/inspect'), { expected })
  const { page } = opened
  await page.getByText('TOKEN').waitFor()
  const parts = /\/assets\/(terminal-pane|chart-pane)-/
  await page.route(parts, (route) => route.abort('connectionreset'))
  for (const tab of ['Terminal', 'Charts']) {
    await seenClick(page.getByRole('link', { name: tab, exact: true }))
    await page.getByRole('alert').getByText('A part of the page').first().waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  }
})

test('secrets are shown on request only', async () => {
  await using opened = await journey.openSignedIn(container('/inspect'))
  const { page } = opened
  await page.getByText('TOKEN').waitFor()
  expect(await page.getByText('hunter2').count()).toBe(0)
  await seenClick(page.getByRole('button', { name: 'Show values' }))
  await page.getByText('hunter2').waitFor()
})

test('a container is stopped and started, and its log continues', async () => {
  await using opened = await journey.openSignedIn(container('/logs'))
  const { page } = opened
  await page.getByText('no disk').waitFor()
  await seenClick(page.getByRole('button', { name: 'Actions of journey-logs-web-1' }))
  await seenClick(page.getByRole('menuitem', { name: 'Stop journey-logs-web-1' }))
  const dialog = page.getByRole('dialog')
  await seenClick(dialog.getByRole('button', { name: 'Stop journey-logs-web-1' }))
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor()
  await page.getByText('Ended with exit code 137').waitFor()
  await seenClick(page.getByRole('button', { name: 'Start', exact: true }))
  await page.getByText('journey-logs-web-1 started').waitFor()
  await page.getByText('Live').waitFor()
})

test('the containers are stopped and removed at once, and then the volume', async () => {
  // Another host may have the same Engine.
  const mine = `?host=local&filter=${name}`
  await using opened = await journey.openSignedIn(`/containers${mine}&sort=-memory`)
  const { page } = opened
  const dialog = page.getByRole('dialog')
  const memory = page.getByRole('row', { name: `${name}-` }).getByText(/\d [KM]iB$/)
  await expect.poll(() => memory.count()).toBe(2)
  const volumes = `/volumes${mine}`
  for (const [verb, ended] of [
    ['Stop', 'stopped'],
    ['Remove', 'removed'],
  ]) {
    await seenCheck(page.getByLabel('Select all 2'))
    await seenClick(page.locator('.selection-bar').getByRole('button', { name: 'Actions' }))
    await seenClick(page.getByRole('menuitem', { name: `${verb} 2 containers` }))
    await dialog.getByText(`${name}-db-1`).waitFor()
    await seenClick(dialog.getByRole('button', { name: `${verb} 2 containers` }))
    await page.getByText(`2 containers ${ended}`).waitFor()
    await page.locator('.selection-bar').waitFor({ state: 'detached' })
    if (verb === 'Stop') {
      await follow(page, volumes)
      await page.getByRole('link', { name: `${name}-db-1` }).waitFor()
      await follow(page, `/containers${mine}`)
    }
  }
  await follow(page, `${volumes}&use=unused`)
  await page
    .getByRole('row', { name: `${name}_data` })
    .getByText(/^\d+ K?i?B$/)
    .waitFor()
  await seenClick(page.getByRole('button', { name: `Actions of ${name}_data` }))
  await seenClick(page.getByRole('menuitem', { name: `Remove ${name}_data` }))
  await dialog.getByText(/^Data: \d+ K?i?B\.$/).waitFor()
  await seenFill(page.getByLabel(`Type ${name}_data to confirm`), `${name}_data`)
  await page.keyboard.press('Enter')
  await page.getByText(`${name}_data removed`).waitFor()
  expect(docker('volume', 'ls', '-q', '--filter', `name=${name}_data`)).toBe('')
})
