import { expect, test } from 'vitest'
import { type Container, type Lists, leftOnEngine } from './engine-leftovers.mjs'
import { testDirectoryOf } from './test-names.mjs'

const project = 'com.docker.compose.project'
const directory = 'com.docker.compose.project.working_dir'
const place = '/tmp/container-stacks-place-2WlUc0'
const mark = 'cst-0a1b2c-3d4e5f-web'

const container = (Id: string, of: Partial<Container> = {}): Container => ({
  Id,
  Names: [`/${Id}`],
  Image: 'busybox:latest',
  Labels: {},
  Mounts: [],
  ...of,
})
const bind = (Source: string) => [{ Type: 'bind', Source }]
const volume = (Name: string) => [
  { Type: 'volume', Name, Source: `/var/lib/docker/volumes/${Name}/_data` },
]
const helper = { 'container-stacks.internal': 'files' }
const helperName = ['/container-stacks-0a1b2c3d4e5f6a7b']

function left(lists: Partial<Lists>) {
  const none = { containers: [], networks: [], volumes: [], images: [] }
  const isTestPath = (path: string) => testDirectoryOf(path) !== undefined
  return leftOnEngine({ ...none, ...lists }, isTestPath, (pid) => pid === 4711)
}

test('returns containers with the names, directories and mounts of tests', () => {
  const containers = [
    container('unique', { Names: [`/${mark}-1`], Image: 'nginx' }),
    container('project', { Labels: { [project]: mark }, Image: 'nginx' }),
    container('service', { Labels: { [directory]: `${place}/stacks/web` }, Image: 'nginx' }),
    container('helper', { Names: helperName, Labels: helper, Mounts: bind(`${place}/stacks/web`) }),
    container('restore', { Names: helperName, Labels: helper, Mounts: volume('killed123full') }),
    container('mount', { Mounts: bind(`${place}/files`) }),
    container('numbered', { Names: ['/alerts12345'] }),
    container('contract', { Labels: { [project]: 'contract-0a1b2c3d' } }),
  ]
  expect(left({ containers }).containers).toEqual(containers.map(({ Id }) => Id))
})

test('leaves other containers alone', () => {
  const containers = [
    container('web'),
    container('alive', { Names: ['/alerts4711'] }),
    container('named', { Names: ['/main2024'], Image: 'nginx:latest' }),
    container('compose', { Labels: { [project]: 'shop', [directory]: '/home/anna/shop' } }),
    container('helper', { Names: helperName, Labels: helper, Mounts: bind('/srv/stacks/web') }),
    container('backup', { Names: helperName, Labels: helper, Mounts: volume('shop_data') }),
    container('temporary', { Mounts: bind('/tmp') }),
    container('socket', { Mounts: bind('/var/run/docker.sock') }),
    container('data', { Mounts: volume('killed123full') }),
  ]
  expect(left({ containers }).containers).toEqual([])
})

test('a project with another container stays, whatever its name', () => {
  const labels = { [project]: 'main2024' }
  const lists = {
    containers: [
      container('task', { Labels: labels }),
      container('database', { Labels: labels, Image: 'postgres:17' }),
    ],
    networks: [{ Id: 'n', Name: 'main2024_default', Labels: labels }],
    volumes: [{ Name: 'main2024_data', Labels: labels }],
    images: [{ Id: 'i', RepoTags: ['main2024-task:latest'], Labels: labels }],
  }
  expect(left(lists)).toEqual({ containers: [], networks: [], volumes: [], images: [] })
})

test('returns networks, volumes and images of the projects of tests', () => {
  const labels = { [project]: 'web', [directory]: `${place}/stacks/web` }
  const ofProject = { [project]: 'web' }
  const lists = {
    containers: [container('c', { Labels: labels })],
    networks: [
      { Id: 'project', Name: 'web_default', Labels: ofProject },
      { Id: 'unique', Name: `${mark}_default`, Labels: null },
      { Id: 'alone', Name: 'crash12345_default', Labels: { [project]: 'crash12345' } },
    ],
    volumes: [
      { Name: 'web_data', Labels: ofProject },
      { Name: `${mark}_data`, Labels: null },
    ],
    images: [
      { Id: 'i1', RepoTags: [`${mark}-web:latest`, 'nginx:latest'], Labels: null },
      { Id: 'i2', RepoTags: ['web-app:latest'], Labels: ofProject },
      { Id: 'i3', RepoTags: null, Labels: ofProject },
      { Id: 'i4', RepoTags: [`127.0.0.1:20000/${mark}:1`], Labels: null },
      { Id: 'i5', RepoTags: [`container-stacks:0.0.0-${mark}`], Labels: null },
    ],
  }
  expect(left(lists)).toEqual({
    containers: ['c'],
    networks: ['project', 'unique', 'alone'],
    volumes: ['web_data', `${mark}_data`],
    images: [
      `${mark}-web:latest`,
      'web-app:latest',
      'i3',
      `127.0.0.1:20000/${mark}:1`,
      `container-stacks:0.0.0-${mark}`,
    ],
  })
})

test('leaves other networks, volumes and images alone', () => {
  const lists = {
    networks: [
      { Id: 'bridge', Name: 'bridge', Labels: null },
      { Id: 'shop', Name: 'shop_default', Labels: { [project]: 'shop' } },
      { Id: 'unlabelled', Name: 'crash12345_default', Labels: {} },
      { Id: 'alive', Name: 'crash4711_default', Labels: { [project]: 'crash4711' } },
    ],
    volumes: [
      { Name: 'shop_data', Labels: { [project]: 'shop' } },
      // Data is not removed on the strength of a name that another program may use too.
      { Name: 'crash12345_data', Labels: { [project]: 'crash12345' } },
      { Name: '0a1b2c3d4e5f', Labels: null },
    ],
    images: [
      { Id: 'i1', RepoTags: ['busybox:latest'], Labels: null },
      { Id: 'i2', RepoTags: ['<none>:<none>'], Labels: null },
      { Id: 'i3', RepoTags: ['crash12345:latest'], Labels: { [project]: 'shop' } },
    ],
  }
  expect(left(lists)).toEqual({ containers: [], networks: [], volumes: [], images: [] })
})
