import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { api, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { appearanceProblems } from './harness/appearance.ts'
import { follow, type Journey, startJourney } from './harness/journey.ts'
import { seenCheck, seenClick, seenFill, seenSelect } from './harness/seen-click.ts'

const name = unique('jobs')
const compose = `services:
  web:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s
    environment:
      GREETING: \${GREETING:-none}
`
let journey: Journey

const call = (method: string, path: string, body?: unknown) =>
  api(journey.running, method, path, { token: journey.token, body })
const at = (path: string) => `/stacks/${name}${path}`

beforeAll(async () => {
  journey = await startJourney()
  // A busy machine reads a compose file too slowly for the service's time limit.
  const made = await until(
    () => call('POST', '/stacks', { name, compose, env: 'OWN=1\n' }),
    ({ status }) => status !== 500,
  )
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  await call('POST', at('/deploy'), {})
})
afterAll(async () => {
  if (!journey) return
  await removeFromEngine(name)
  await journey.close()
})

test('a set of variables is added in settings, and a stack takes it and says so', async () => {
  await using opened = await journey.openSignedIn('/settings')
  const { page } = opened
  const dialog = page.getByRole('dialog')
  const row = page.getByRole('table', { name: 'Variables' }).getByRole('row').last()
  const problems: string[] = []
  const look = async (state: string) => {
    problems.push(...(await appearanceProblems(page, `variables-${state}`)))
  }
  const choose = async (of: string, action: string) => {
    await seenClick(page.getByRole('button', { name: `Actions of ${of}`, exact: true }))
    await seenClick(page.getByRole('menuitem', { name: action }))
  }
  // The editor takes keys, not a value.
  const type = async (lines: string) => {
    await seenClick(dialog.getByLabel('Values', { exact: true }))
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(lines)
  }
  await seenClick(page.getByRole('link', { name: 'Variables', exact: true }))
  await page.getByText('No set of shared variables yet').waitFor()
  await seenClick(page.getByRole('button', { name: 'Add set' }))
  await seenFill(dialog.getByLabel('Name', { exact: true }), 'home')
  await type('GREETING=hello\nGREETING')
  await dialog.getByText('Line 2 is neither NAME=value nor -NAME').waitFor()
  await look('add')
  await type('GREETING=hello')
  await seenClick(dialog.getByRole('button', { name: 'Save variables' }))
  await page.getByText('Variables home saved').waitFor()
  await row.getByText('GREETING', { exact: true }).waitFor()
  await look('settings')

  await follow(page, at(''))
  await choose(name, 'Shared variables')
  await seenCheck(dialog.getByLabel('home', { exact: true }))
  await look('of-stack')
  await seenClick(dialog.getByRole('button', { name: 'Save sets' }))
  await page.getByText(`Shared variables of ${name} saved`).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await seenClick(page.getByRole('link', { name: 'Files', exact: true }))
  await seenClick(page.getByRole('link', { name: '.env', exact: true }).first())
  await page.getByText('From the shared set home: GREETING.').waitFor()
  await look('origin')
  await call('POST', at('/deploy'), {})
  expect(docker('exec', `${name}-web-1`, 'sh', '-c', 'echo $GREETING')).toBe('hello')

  await page.goto(new URL('/settings/variables', journey.running.url).href)
  await row.getByText(name, { exact: true }).waitFor()
  await seenClick(page.getByRole('button', { name: 'Actions of home', exact: true }))
  const remove = page.getByRole('menuitem', { name: 'Delete home' })
  expect(await remove.getAttribute('title')).toBe('A stack uses it')
  await call('PUT', at(''), { shared_variables: [] })
  await page.goto(new URL('/settings/variables', journey.running.url).href)
  await choose('home', 'Delete home')
  await seenClick(dialog.getByRole('button', { name: 'Delete home' }))
  await page.getByText('No set of shared variables yet').waitFor()
  expect((await call('GET', '/variables')).json).toEqual([])
  expect(problems).toEqual([])
})

test('a job of a stack is added and run, its log is shown, and it is deleted', async () => {
  // The first attempt names a service that the stack does not have.
  await using opened = await journey.openSignedIn(at(''), { expected: /status of 404 .*\/jobs/ })
  const { page } = opened
  const dialog = page.getByRole('dialog')
  const panel = page.getByRole('region', { name: 'Jobs', exact: true })
  const row = panel.getByRole('table', { name: 'Jobs' }).getByRole('row').last()
  const problems: string[] = []
  const look = async (state: string) => {
    problems.push(...(await appearanceProblems(page, `stack-job-${state}`)))
  }
  const choose = async (of: string, action: string) => {
    await seenClick(page.getByRole('button', { name: `Actions of ${of}`, exact: true }))
    await seenClick(page.getByRole('menuitem', { name: action }))
  }
  await choose(name, `Add a job to ${name}`)
  await seenFill(dialog.getByLabel('Name', { exact: true }), 'report')
  await seenFill(dialog.getByLabel('Service', { exact: true }), 'none')
  await seenFill(dialog.getByLabel('Command', { exact: true }), 'echo\nall is well')
  await look('add')
  await seenSelect(dialog.getByLabel('Schedule', { exact: true }), 'On request only')
  await seenClick(dialog.getByRole('button', { name: 'Save job' }))
  await dialog.getByRole('alert').getByText('The job was not saved').waitFor()
  await seenFill(dialog.getByLabel('Service', { exact: true }), 'web')
  await seenClick(dialog.getByRole('button', { name: 'Save job' }))
  await page.getByText('Job report saved').waitFor()
  await row.getByText('None yet').waitFor()
  await row.getByText('On request').waitFor()

  await choose('report', 'Run report now')
  await page.getByText('Job report is running').waitFor()
  await row.getByText('Succeeded').waitFor()
  await look('panel')
  await choose('report', 'Show the runs of report')
  const run = dialog.getByRole('region', { name: 'Run' })
  await run.getByText('all is well').waitFor()
  await run.getByText('by admin').waitFor()
  await look('runs')
  await seenClick(dialog.getByRole('button', { name: 'Close' }).last())

  await choose('report', 'Delete report')
  await dialog.getByText('Its schedule, its runs and their logs').waitFor()
  await seenClick(dialog.getByRole('button', { name: 'Delete report' }))
  await page.getByText('Job report deleted').waitFor()
  await panel.waitFor({ state: 'detached' })
  expect((await call('GET', at('/jobs'))).json).toEqual([])
  expect(problems).toEqual([])
})
