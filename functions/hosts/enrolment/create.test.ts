import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { givenHost, world } from '../../../local/harness/world.ts'
import get from '../get.ts'
import remove from '../remove.ts'
import enrolment from './create.ts'

test('201: enrols a revoked host again', async () => {
  const here = world()
  await givenHost(here, 'far')
  const { ports } = here
  const path = { id: 'far' }
  await call(remove, { ports, as: 'admin', path })
  const { status, json } = await call(enrolment, { ports, as: 'admin', path })
  expect([status, json.token]).toEqual([201, expect.stringMatching(/^cse_/)])
  expect((await call(get, { ports, as: 'admin', path })).json.status).toBe('pending')
})

test('400: the local host has no agent', async () => {
  const { ports } = world()
  const { status } = await call(enrolment, { ports, as: 'admin', path: { id: 'local' } })
  expect(status).toBe(400)
})

test('403: an operator, or an admin of some hosts', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  const path = { id: 'far' }
  const as = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  for (const caller of ['operator', as] as const) {
    expect((await call(enrolment, { ports: here.ports, as: caller, path })).status).toBe(403)
  }
})

test('404: unknown host', async () => {
  const { ports } = world()
  const { status } = await call(enrolment, { ports, as: 'admin', path: { id: 'mars' } })
  expect(status).toBe(404)
})
