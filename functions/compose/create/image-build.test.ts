import { describe, expect, test } from 'vitest'
import type { Service } from '../service.ts'
import type { Build } from '../service-parts.ts'
import { projectOf } from '../testing/plan-samples.ts'
import { imageBuild } from './image-build.ts'

const made = (build: Build, web: Partial<Service> = {}) =>
  imageBuild(projectOf({ web: { build, ...web } }), 'web', 'shop-web')

test('a context alone: uses its Dockerfile and sets the name and labels of the image', () => {
  expect(made({ context: '/srv/shop/app' })).toEqual({
    project: 'shop',
    context: '/srv/shop/app',
    remote: false,
    dockerfile: '/srv/shop/app/Dockerfile',
    inline: undefined,
    tags: [],
    references: ['shop-web'],
    secrets: [],
    options: {
      rm: true,
      forcerm: true,
      labels: {
        'com.docker.compose.project': 'shop',
        'com.docker.compose.service': 'web',
        'com.docker.compose.version': expect.any(String),
        'com.docker.compose.image.builder': 'classic',
      },
    },
  })
})

test('passes every option that the builder of the Engine supports', () => {
  const build: Build = {
    context: '/srv/shop/app',
    dockerfile: '../Dockerfile.web',
    args: { A: '1', B: null },
    labels: { mine: '1' },
    target: 'final',
    network: 'none',
    cache_from: ['a:1', 'type=registry,ref=b:1'],
    no_cache: true,
    pull: true,
    shm_size: '1024',
    extra_hosts: ['h=10.0.0.1'],
    ulimits: { nofile: { soft: 1, hard: 2 }, nproc: 3 },
    tags: ['x:1', 'shop-web'],
    platforms: ['linux/arm64'],
    provenance: 'false',
  }
  const { dockerfile, options, tags, references } = made(build)
  expect(tags).toEqual(['x:1'])
  expect(references).toEqual(['shop-web', 'a:1', 'b:1'])
  expect(dockerfile).toBe('/srv/shop/Dockerfile.web')
  expect(options).toMatchObject({
    buildargs: { A: '1', B: null },
    labels: { mine: '1' },
    target: 'final',
    networkmode: 'none',
    cachefrom: '["a:1","b:1"]',
    nocache: true,
    pull: true,
    shmsize: 1024,
    extrahosts: ['h:10.0.0.1'],
    ulimits: '[{"Name":"nofile","Soft":1,"Hard":2},{"Name":"nproc","Soft":3,"Hard":3}]',
    platform: 'linux/arm64',
  })
})

test('builds only the platform of the service if there are several, else the default', () => {
  const build = { context: '/a', platforms: ['linux/amd64', 'linux/arm64'] }
  expect(made(build).options.platform).toBeUndefined()
  expect(made(build, { platform: 'linux/arm64' }).options.platform).toBe('linux/arm64')
})

test('passes a remote context to the Engine', () => {
  const context = 'https://git.example/app.git#main:web'
  expect(made({ context, dockerfile: 'D' })).toMatchObject({
    context,
    remote: true,
    dockerfile: 'D',
  })
})

describe('422: options that the builder of the Engine does not support', () => {
  test.each<[string, Build]>([
    ['additional_contexts', { additional_contexts: { a: '/b' } }],
    ['cache_to', { cache_to: ['type=inline'] }],
    ['entitlements', { entitlements: ['network.host'] }],
    ['no_cache_filter', { no_cache_filter: ['a'] }],
    ['privileged', { privileged: true }],
    ['isolation', { isolation: 'hyperv' }],
    ['provenance', { provenance: 'mode=max' }],
    ['sbom', { sbom: 'true' }],
    ['cache_from[1]', { cache_from: ['a', 'type=gha'] }],
  ])('422: %s', (name, build) => {
    expect(() => made({ context: '/a', ...build })).toThrow(
      expect.objectContaining({
        status: 422,
        message: `services.web.build.${name}: not supported by the Engine's own builder`,
      }),
    )
  })

  test('422: ssh, with what to use instead', () => {
    expect(() => made({ context: '/a', ssh: ['default'] })).toThrow(
      /^services\.web\.build\.ssh: .*no SSH agent.*build\.secrets/,
    )
  })

  test('422: an inline Dockerfile with a remote context', () => {
    const build = { context: 'https://git.example/app.git', dockerfile_inline: 'FROM scratch' }
    expect(() => made(build)).toThrow(/^services\.web\.build\.dockerfile_inline: /)
  })
})
