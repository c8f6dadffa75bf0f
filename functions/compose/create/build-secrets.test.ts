import { expect, test } from 'vitest'
import type { Project } from '../project.ts'
import type { FileReference } from '../service-parts.ts'
import { projectOf } from '../testing/plan-samples.ts'
import { buildSecrets } from './build-secrets.ts'

const secrets: Project['secrets'] = {
  key: { name: 'shop_key', file: '/srv/shop/key' },
  token: { name: 'shop_token', environment: 'TOKEN', content: 'of TOKEN' },
  empty: { name: 'shop_empty', environment: 'EMPTY', content: '' },
  unset: { name: 'shop_unset', environment: 'UNSET' },
  external: { name: 'external', external: true },
  driver: { name: 'driver', file: '/srv/shop/key', driver: 'vault' },
  template: { name: 'template', file: '/srv/shop/key', template_driver: 'golang' },
}

const made = (...references: FileReference[]) => {
  const project = projectOf({ web: { build: { context: '/a', secrets: references } } })
  return buildSecrets({ ...project, secrets }, 'web')
}

test('files and variables, by target or name; owner and mode have no effect', () => {
  expect(
    made(
      { source: 'key' },
      { source: 'token', target: 'npm', uid: '1', gid: '1', mode: '0400' },
      { source: 'empty', target: '' },
    ),
  ).toEqual([
    { id: 'key', file: '/srv/shop/key' },
    { id: 'npm', content: 'of TOKEN' },
    { id: 'empty', content: '' },
  ])
})

test('the last one of two with the same id counts', () => {
  expect(made({ source: 'key' }, { source: 'token', target: 'key' })).toEqual([
    { id: 'key', content: 'of TOKEN' },
  ])
})

test.each([
  ['unset', 'environment variable UNSET is not set'],
  ['external', 'external secrets and drivers need Swarm and are not supported'],
  ['driver', 'external secrets and drivers need Swarm and are not supported'],
  ['template', 'external secrets and drivers need Swarm and are not supported'],
  ['none', 'not defined'],
])('422: %s', (source, problem) => {
  expect(() => made({ source })).toThrow(
    expect.objectContaining({
      status: 422,
      message: `services.web.build.secrets.${source}: ${problem}`,
    }),
  )
})
