import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { webFiles } from '../../adapters/node/http/web-files.ts'
import { imageRegistry } from '../../adapters/registry/read.ts'
import { docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import createJob from '../../functions/backup-jobs/create.ts'
import create from '../../functions/stacks/create.ts'
import deploy from '../../functions/stacks/deploy.ts'
import setPolicy from '../../functions/stacks/update-policy/update.ts'
import apply from '../../functions/updates/apply.ts'
import look from '../../functions/updates/look.ts'
import { call } from '../harness/call.ts'
import { admin, clientWorld } from '../harness/client.ts'
import { loopbackDialer } from '../harness/outbound.ts'
import { paced } from '../harness/pace.ts'
import { realEngineWorld } from '../harness/real-engine-world.ts'
import { type Registry, startRegistry } from '../harness/registry.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { publishScript } from '../harness/script-image.ts'
import { until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { appearanceProblems } from './harness/appearance.ts'
import { startBrowser } from './harness/browser.ts'
import { signIn } from './harness/journey.ts'
import { seenClick } from './harness/seen-click.ts'
import { openPage } from './harness/watched-page.ts'

// A real Engine updates from a real registry. Only the clock of the service is the test's, because
// each update is watched for a minute.
const world = realEngineWorld()
const ports = { ...world.ports, imageRegistry: imageRegistry(loopbackDialer()) }
const name = unique('journey-undo')
const good = `${name}-good`
const bad = `${name}-bad`
const minute = 60_000
let service: Awaited<ReturnType<typeof clientWorld>>
let browser: Browser
let registry: Registry

beforeAll(async () => {
  ;[service, browser, registry] = await Promise.all([
    clientWorld({ ports: ports as never, web: webFiles() }),
    startBrowser(),
    startRegistry(),
  ])
  // What the test lets pass ends about now: a browser goes by the time of responses.
  ports.clock.advance(Date.now() - 8 * 60 * minute - ports.clock.now())
  await ports.settings.save({ 'registry.allow': [registry.address] })
  const checkpoint = await given(good)
  await given(bad)
  await setPolicyOf(good, checkpoint)
  await setPolicyOf(bad, null)
  await publishScript(registry, writes(2), `team/${good}`)
  await publishScript(registry, 'echo cannot read the data; exit 3', `team/${bad}`)
  for (const wait of [0, 6 * minute, 7 * 60 * minute, 6 * minute]) {
    ports.clock.advance(wait)
    await look.with(ports)()
  }
  await stepUntil(bad, (update) => update?.rollback?.state === 'done')
  await stepUntil(good, (update) => update !== undefined)
  ports.clock.advance(Date.now() - ports.clock.now())
}, paced(120_000))
afterAll(async () => {
  await removeFromEngine(name)
  await browser?.close()
  await service?.[Symbol.asyncDispose]()
  for (const stack of [good, bad]) {
    const ids = docker('images', '--quiet', '--no-trunc', `${registry.address}/team/${stack}`)
    if (ids) docker('rmi', '--force', ...new Set(ids.split('\n')))
  }
  await Promise.all([world.close(), registry.close()])
})

const about = (stack: string) => ({ ports, as: 'admin' as const, path: { name: stack } })
const writes = (format: number) => `echo ${format} >/data/format; exec sleep 3600`
const dataOf = (volume: string) =>
  docker('run', '--rm', '--volume', `${volume}:/data`, 'busybox:latest', 'cat', '/data/format')

/** Deploys a stack that runs an image of the registry. Returns the ID of its backup job. */
async function given(stack: string): Promise<string> {
  await publishScript(registry, writes(1), `team/${stack}`)
  const image = `image: "${registry.address}/team/${stack}:1", command: [sh, /start]`
  const compose = `services: {web: {${image}, init: true, volumes: ["data:/data"]}}\nvolumes: {data: {}}\n`
  const made = await call(create, { ...about(stack), body: { name: stack, compose } })
  expect(made.status, made.text).toBe(201)
  const { json } = await call(deploy, { ...about(stack), body: {} })
  expect(json, JSON.stringify(json)).toMatchObject({ status: 'succeeded' })
  const sources = [{ kind: 'stack', name: stack }]
  const body = { name: stack, sources, target: { kind: 'local', path: stack } }
  return (await call(createJob, { ports, as: 'admin', body })).json.id
}

async function setPolicyOf(stack: string, checkpoint: string | null): Promise<void> {
  const body = { mode: 'apply', minimum_age_hours: 0, checkpoint }
  const { status, text } = await call(setPolicy, { ...about(stack), body })
  expect(status, text).toBe(200)
}

const updateOf = async (stack: string) => present(await ports.stacks.find(stack)).update

/** Lets time pass for the service until the last update of a stack is as wanted. */
async function stepUntil(
  stack: string,
  isWanted: (update: Awaited<ReturnType<typeof updateOf>>) => boolean,
): Promise<void> {
  const step = async () => {
    ports.clock.advance(31_000)
    await apply.with(ports)()
    await ports.background.settled()
    return updateOf(stack)
  }
  await until(step, isWanted)
}

/** Opens the page of a stack as the admin. */
async function openStack(stack: string) {
  const opened = await openPage(browser, `${service.server}/stacks/${stack}`)
  await signIn(opened.page, admin)
  return opened
}

/** Undoes the last update on the page of a stack, and waits until its run has ended. */
async function undoUpdate(page: Page, stack: string): Promise<void> {
  await seenClick(page.getByRole('button', { name: 'Undo update…' }))
  const dialog = page.getByRole('dialog', { name: `Undo the last update of ${stack}?` })
  await dialog.getByText('Files, images and volumes go back').waitFor()
  await dialog.getByText('volumes named …_before_<id>').waitFor()
  expect(await appearanceProblems(page, 'stack-undo-update')).toEqual([])
  await seenClick(dialog.getByRole('button', { name: 'Undo update' }))
  await page.getByText(`Undoing the last update of ${stack}`).waitFor()
  await page.waitForURL('**/backups/runs?run=*')
  // The run before is in the list behind it, and has succeeded.
  await ports.background.settled()
  await page.getByText('In progress').first().waitFor({ state: 'detached' })
}

test('an update that went well is undone with its data', async () => {
  expect(dataOf(`${good}_data`)).toBe('2')
  await using opened = await openStack(good)
  const { page } = opened
  await page.getByText('The last update went well').waitFor()
  expect(await appearanceProblems(page, 'stack-last-update')).toEqual([])
  await undoUpdate(page, good)
  expect(await appearanceProblems(page, 'stack-undo-run')).toEqual([])
  expect(dataOf(`${good}_data`)).toBe('1')
  const kept = docker('volume', 'ls', '--quiet', '--filter', `name=${good}_data_before_`)
  expect(dataOf(kept)).toBe('2')
  await stepUntil(good, (update) => update?.rollback?.state === 'done')
  await page.goto(`${service.server}/stacks/${good}`)
  await page.getByText(`${admin.username} undid the last update`).waitFor()
  expect(await page.getByRole('button', { name: 'Undo update…' }).count()).toBe(0)
  expect(await appearanceProblems(page, 'stack-undone-update')).toEqual([])
})

test('an update that was bad is accounted for, and its image can be allowed again', async () => {
  const [held] = present(await ports.stacks.find(bad)).heldBack ?? []
  const { digest, before } = present(held)
  await using opened = await openStack(bad)
  const { page } = opened
  await page.getByText('The last update was bad and was rolled back').waitFor()
  const account = page.getByRole('region', { name: 'Held-back images' })
  await account.getByText('web: it ended with 3').waitFor()
  await account.getByText('cannot read the data').waitFor()
  await account.getByText(`(${digest.slice(7, 19)})`).waitFor()
  const old = before.slice(before.indexOf('@sha256:') + 8).slice(0, 12)
  await account.getByText(`The image from before is ${old}.`).waitFor()
  expect(dataOf(`${bad}_data`)).toBe('1')
  expect(await appearanceProblems(page, 'stack-bad-update')).toEqual([])
  await seenClick(account.getByRole('button', { name: 'Allow it again…' }))
  expect(await appearanceProblems(page, 'stack-allow-image')).toEqual([])
  await seenClick(page.getByRole('button', { name: 'Allow it again', exact: true }))
  await account.waitFor({ state: 'detached' })
  expect(present(await ports.stacks.find(bad)).heldBack).toEqual([])
})
