import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { makeRepository } from '../harness/git/repository.ts'
import { startGitSsh } from '../harness/git/ssh-git-server.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { api, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { appearanceProblems } from './harness/appearance.ts'
import { follow, type Journey, startJourney } from './harness/journey.ts'
import { seenClick, seenFill, seenSelect } from './harness/seen-click.ts'

const name = unique('follow')
const folder = 'apps/shop'
const place = `estate, folder ${folder}`
const compose = (greeting: string) => `services:
  web:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s
    environment:
      GREETING: ${greeting}
`
let journey: Journey

const call = (method: string, path: string, body?: unknown) =>
  api(journey.running, method, path, { token: journey.token, body })
const at = (path: string) => `/stacks/${name}${path}`
const short = (revision: string) => revision.slice(0, 12)

beforeAll(async () => {
  journey = await startJourney({ SERVICE_OUTBOUND_ALLOW: '127.0.0.1' })
  // A busy machine reads a compose file too slowly for the service's time limit.
  const made = await until(
    () => call('POST', '/stacks', { name, compose: compose('one'), env: 'OWN=1\n' }),
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

test('a stack follows a repository, and its page says what it took, what waits and what fails', async () => {
  const repository = makeRepository()
  const commit = (greeting: string, subject: string) =>
    repository.commit({ [`${folder}/compose.yaml`]: compose(greeting) }, subject)
  const first = commit('one', 'Greet once')
  const server = await startGitSsh(repository.root)
  // The page may ask once more for what it no longer follows.
  const expected = /status of 404 .*\/source/
  await using opened = await journey.openSignedIn(at(''), { expected })
  const { page } = opened
  const dialog = page.getByRole('dialog')
  const line = page.getByRole('status').filter({ hasText: place })
  const problems: string[] = []
  const look = async (state: string) => {
    problems.push(...(await appearanceProblems(page, `follow-source-${state}`)))
  }
  const openDialog = async () => {
    await seenClick(page.getByRole('button', { name: `Actions of ${name}`, exact: true }))
    await seenClick(page.getByRole('menuitem', { name: 'Follow a source…' }))
  }
  const sync = () => seenClick(line.getByRole('button', { name: 'Sync now' }))

  await openDialog()
  await dialog.getByText('No source yet').waitFor()
  await look('none')
  await seenClick(dialog.getByRole('button', { name: 'Close' }))
  const source = {
    name: 'estate',
    kind: 'git',
    url: server.url,
    ref: 'main',
    private_key: server.privateKey,
    host_key: server.hostKey,
    look_every_seconds: 3600,
  }
  const made = await call('POST', '/sources', source)
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  await call('POST', '/sources/estate/look')
  await until(
    () => call('GET', '/sources/estate'),
    ({ json }) => json.revision === first,
  )

  await openDialog()
  await seenSelect(dialog.getByLabel('Source', { exact: true }), 'estate')
  await seenFill(dialog.getByLabel(/^Folder/), `/${folder}/`)
  await seenSelect(dialog.getByLabel('When the source has something new'), 'Take and deploy them')
  await dialog.getByText('A stopped stack gets the files and stays stopped.').waitFor()
  await look('dialog')
  await seenClick(dialog.getByRole('button', { name: 'Save', exact: true }))
  await sync()
  await line.getByText(`Follows ${place}`).waitFor()
  await line.getByText(short(first)).waitFor()
  await line.getByText('Greet once').waitFor()
  await line.getByText('by Ada').waitFor()
  await line.getByText('next look').waitFor()
  await look('following')
  expect((await call('GET', at('/deployments'))).json).toHaveLength(1)

  const second = commit('two', 'Greet twice')
  await sync()
  await line.getByText('Greet twice').waitFor()
  const [deployed] = await until(
    async () => (await call('GET', at('/deployments'))).json as Json[],
    ([last]) => last.cause === 'source' && last.status === 'succeeded',
  )
  expect(deployed.source).toMatchObject({ revision: second, trigger: 'user' })
  expect(docker('exec', `${name}-web-1`, 'sh', '-c', 'echo $GREETING')).toBe('two')

  await seenClick(page.getByRole('link', { name: 'Deployments', exact: true }))
  const history = page.getByRole('table', { name: 'Deployments' })
  await history.getByText(`${short(second)} Greet twice (after a sync by hand)`).waitFor()
  await look('deployments')
  await seenClick(history.getByRole('link', { name: 'Deploy', exact: true }).first())
  await page.locator('.facts').getByText('Greet twice').waitFor()
  await page.locator('.facts').getByText('after a sync by hand').waitFor()
  await look('deployment')

  await seenClick(page.getByRole('link', { name: 'Files', exact: true }))
  const editor = page.locator('.files-main .cm-content')
  await page.getByText(`This file comes from the source ${place}.`).waitFor()
  await page.getByText('Read only', { exact: true }).waitFor()
  await seenClick(editor)
  await page.keyboard.insertText('x')
  expect(await page.getByText('Unsaved changes').count()).toBe(0)
  await look('files')
  await seenClick(page.getByRole('link', { name: '.env', exact: true }).first())
  await seenClick(page.getByRole('button', { name: 'Show values' }))
  expect(await page.getByText('Read only', { exact: true }).count()).toBe(0)
  await seenClick(editor)
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText('MORE=2\n')
  await seenClick(page.getByRole('button', { name: 'Save', exact: true }))
  await page.getByText('Saved 1 file as revision').waitFor()
  expect((await call('GET', at('/source'))).json.kept).toEqual(['.env'])

  await follow(page, at(''))
  await seenClick(line.getByRole('button', { name: 'Change source…' }))
  await seenSelect(dialog.getByLabel('When the source has something new'), 'Only show it')
  await seenClick(dialog.getByRole('button', { name: 'Save', exact: true }))
  await dialog.waitFor({ state: 'detached' })
  const third = commit('three', 'Greet thrice')
  await call('POST', '/sources/estate/look')
  await line.getByText('The source has something new').waitFor()
  await line.getByText('Greet thrice').waitFor()
  await look('waiting')
  await seenClick(line.getByRole('button', { name: `Take version ${short(third)}` }))
  await line.getByText('The source has something new').waitFor({ state: 'detached' })
  await line.getByText('Greet thrice').waitFor()
  expect((await call('GET', at(''))).json.compose).toBe(compose('three'))

  repository.commit({ 'other/compose.yaml': compose('four') }, 'Move it')
  await sync()
  await line.getByText(`Does not follow ${place}`).waitFor()
  await line.getByText('Choose another folder under').waitFor()
  await line.getByText('tries again').waitFor()
  await look('failed')

  await seenClick(line.getByRole('button', { name: 'Stop following…' }))
  await dialog.getByText('You can edit the files then.').waitFor()
  await look('stop')
  await seenClick(dialog.getByRole('button', { name: 'Stop following', exact: true }))
  await line.waitFor({ state: 'detached' })
  const { json: left } = await call('GET', at(''))
  expect([left.source, left.compose]).toEqual([null, compose('three')])
  expect(problems).toEqual([])
})
