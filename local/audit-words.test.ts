import { expect, test } from 'vitest'
import { actionOf } from '../functions/kit/audit-row.ts'
import { routesOf } from '../functions/kit/manifest.ts'
import { routes } from '../serverless.ts'
import { auditActions, auditGroups } from '../web/text/en-audit.ts'

const actions = routesOf(routes)
  .filter(({ method }) => method !== 'GET')
  .map(({ method, path }) => actionOf(`${method} ${path}`))

test('the browser UI has words for every action of the audit log', () => {
  expect(actions.filter((action) => !Object.hasOwn(auditActions, action))).toEqual([])
})

test('each kind of actions that the log can be limited to has some', () => {
  const kinds = new Set(actions.map((action) => action.split('.')[0]))
  expect(Object.keys(auditGroups).filter((kind) => !kinds.has(kind))).toEqual([])
})
