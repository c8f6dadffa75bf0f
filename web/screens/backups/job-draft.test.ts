import { expect, test } from 'vitest'
import { bodyOf, draftOf } from './job-draft.ts'

test('a new job keeps the last seven backups of each night, encrypted', () => {
  const draft = { ...draftOf(undefined), name: 'nightly', sources: ['stack shop', 'system'] }
  expect(bodyOf({ ...draft, timezone: 'UTC' })).toEqual({
    name: 'nightly',
    host: 'local',
    timezone: 'UTC',
    encrypt: true,
    sources: [{ kind: 'stack', name: 'shop' }, { kind: 'system' }],
    target: { kind: 'local', path: '' },
    schedule: '0 3 * * *',
    retention: { keep_last: 7, keep_days: null },
    hooks: { before: null, after: null },
    stop_services: false,
  })
})

test('an empty schedule is none, and empty secrets are left out', () => {
  const draft = draftOf(undefined)
  const s3 = { ...draft.s3, bucket: 'b', key: 'k' }
  const body = bodyOf({ ...draft, kind: 's3', s3, schedule: ' ', stops: undefined })
  expect(body.schedule).toBeNull()
  expect(body).not.toHaveProperty('stop_services')
  expect(body.target).toEqual({
    kind: 's3',
    bucket: 'b',
    prefix: '',
    region: 'us-east-1',
    endpoint: null,
    force_path_style: false,
    access_key_id: 'k',
  })
})

test('a hook keeps its words as they are, also with spaces and quotes', () => {
  const command = "pg_dump\n-f\n/data/the 'dump'.sql\n$HOME\n"
  const { hooks } = bodyOf({ ...draftOf(undefined), before: { service: ' db ', command } })
  const words = ['pg_dump', '-f', "/data/the 'dump'.sql", '$HOME']
  expect(hooks).toEqual({ before: { service: 'db', command: words }, after: null })
})
