import { expect, test } from 'vitest'
import { helperBody } from './helper-body.ts'
import type { CopiedContainer } from './new-container.ts'

const socket = {
  Type: 'bind',
  Source: '/run/user/docker.sock',
  Destination: '/var/run/docker.sock',
  RW: true,
}
const volume = {
  Type: 'volume',
  Name: 'stacks_data',
  Source: '/var/lib/docker/volumes/stacks_data/_data',
  Destination: '/data',
  RW: true,
}
const service = (Mounts: CopiedContainer['Mounts']): CopiedContainer => ({
  Id: 'a'.repeat(64),
  Config: { User: '1000:1000', Env: ['SECRET=x'], Labels: { 'com.docker.compose.project': 'x' } },
  HostConfig: {
    NetworkMode: 'stacks_default',
    GroupAdd: ['999'],
    SecurityOpt: ['no-new-privileges:true'],
    Privileged: true,
    PortBindings: { '8080/tcp': [{ HostPort: '8080' }] },
  },
  Mounts,
  NetworkSettings: { Networks: {} },
})
const paths = { dataDirectory: '/data', socket: '/var/run/docker.sock' }

test('has the user and groups of the service, its data and the socket, and no more', () => {
  const other = { ...volume, Name: 'other', Destination: '/other' }
  expect(helperBody(service([volume, socket, other]), 'sha256:new', paths)).toEqual({
    Image: 'sha256:new',
    Cmd: ['container-stacks', '--upgrade-helper'],
    User: '1000:1000',
    Env: ['SERVICE_DATA_DIR=/data', 'DOCKER_HOST=unix:///var/run/docker.sock'],
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      GroupAdd: ['999'],
      SecurityOpt: ['no-new-privileges:true'],
      UsernsMode: undefined,
      CapDrop: ['ALL'],
      ReadonlyRootfs: true,
      Tmpfs: { '/tmp': '' },
      NetworkMode: 'none',
      Mounts: [
        { Type: 'volume', Source: 'stacks_data', Target: '/data', ReadOnly: false },
        {
          Type: 'bind',
          Source: '/run/user/docker.sock',
          Target: '/var/run/docker.sock',
          ReadOnly: false,
        },
      ],
      RestartPolicy: { Name: 'always', MaximumRetryCount: 0 },
    },
  })
})

test('mounts what has the path deepest, once', () => {
  const above = { ...volume, Name: 'above', Destination: '/' }
  const both = { dataDirectory: '/srv/data/service', socket: '/srv/data/docker.sock' }
  const inner = { ...volume, Destination: '/srv/data' }
  const { HostConfig } = helperBody(service([above, inner]), 'sha256:new', both)
  expect(HostConfig).toMatchObject({ Mounts: [{ Source: 'stacks_data', Target: '/srv/data' }] })
})

test.each([
  ['the data', [socket], '/data'],
  ['the socket', [volume], '/var/run/docker.sock'],
  ['lasting data', [{ ...volume, Type: 'tmpfs' }, socket], '/data'],
  ['data in a directory of a similar name', [{ ...volume, Destination: '/dat' }, socket], '/data'],
])('409: the service has no mount for %s', (_what, mounts, path) => {
  expect(() => helperBody(service(mounts), 'sha256:new', paths)).toThrow(
    expect.objectContaining({ status: 409, message: expect.stringContaining(path) }),
  )
})
