import { expect, test } from 'vitest'
import { ownActions, requestActions } from '../functions/core/records/audit-actions.ts'
import { eventKinds } from '../functions/core/records/event-kinds.ts'
import { actionOf } from '../functions/kit/audit-row.ts'
import { routesOf } from '../functions/kit/manifest.ts'
import { feeds, routes } from '../serverless.ts'
import { auditActions, auditGroups } from '../web/text/en-audit.ts'

const changes = routesOf(routes)
  .filter(({ method }) => method !== 'GET')
  .map(({ method, path }) => actionOf(`${method} ${path}`))
const actions = [...changes, ...(await secretReads()), ...ownActions]

/** Returns the actions of reads that are recorded, because they can return secrets. */
async function secretReads(): Promise<string[]> {
  const reads = routesOf(routes)
    .filter(({ method }) => method === 'GET')
    .map(({ method, path, load }) => ({ key: `${method} ${path}`, load }))
  const opened = Object.entries(feeds).map(([path, load]) => ({ key: `GET ${path}`, load }))
  const all = await Promise.all(
    [...reads, ...opened].map(async ({ key, load }) => {
      const { facts } = (await load()).default
      return facts.readsSecrets ? [actionOf(key)] : []
    }),
  )
  return all.flat()
}

test('the browser UI has words for every action of the audit log', () => {
  expect(actions.filter((action) => !Object.hasOwn(auditActions, action))).toEqual([])
})

test('the listed actions of requests are those of the manifest', () => {
  const keys = [...Object.keys(routes), ...Object.keys(feeds).map((path) => `GET ${path}`)]
  expect([...requestActions]).toEqual([...new Set(keys.map(actionOf))].sort())
})

test('the browser UI has no words for actions that are not listed', () => {
  const listed = new Set<string>([...requestActions, ...ownActions])
  expect(Object.keys(auditActions).filter((action) => !listed.has(action))).toEqual([])
})

test('each kind of event is listed once', () => {
  expect(eventKinds).toEqual([...new Set(eventKinds)])
  expect(eventKinds).toEqual(
    expect.arrayContaining(['container.start', 'stack.deploy.step', 'registry.read', 'ws.exec']),
  )
})

test('reads of secrets are among them', () => {
  expect(actions).toEqual(expect.arrayContaining(['stacks.read', 'ws.archive']))
})

test('each kind of actions that the log can be limited to has some', () => {
  const kinds = new Set(actions.map((action) => action.split('.')[0]))
  expect(Object.keys(auditGroups).filter((kind) => !kinds.has(kind))).toEqual([])
})
