import { expect, test } from 'vitest'
import { DeadlineExceeded, EngineRefusal, failureOf, foreign, streamFailure } from './errors.ts'

const call = { host: 'nas', step: 'POST /containers/create' }
const refusal = (status: number, message: string) =>
  failureOf(new EngineRefusal(status, message), call)

test.each([
  ['Get "https://registry-1.example/v2/": dial tcp: i/o timeout', 'registry-unreachable'],
  ['Head "https://reg.example/v2/a/manifests/1": x509: unknown authority', 'registry-unreachable'],
  ['manifest for nginx:none not found: manifest unknown', 'registry-refused'],
  ['no matching manifest for linux/arm64 in the manifest list entries', 'registry-refused'],
  ['toomanyrequests: You have reached your pull rate limit', 'registry-refused'],
  ['pull access denied for secret/app, repository does not exist', 'registry-refused'],
  ['unauthorized: authentication required', 'registry-refused'],
  ['image operating system "windows" cannot be used on this platform', 'registry-refused'],
  ['write /var/lib/docker/tmp/x: no space left on device', 'disk-full'],
  ['something entirely new', 'engine-failed'],
])('a pull that ends with %j fails with %s', (message, reason) => {
  expect(streamFailure(message, 'the pull failed').reason).toBe(reason)
})

test.each([
  [409, 'Conflict. The container name "/web" is already in use by container "abc"', 'in-use'],
  [500, 'driver failed: Bind for 0.0.0.0:80 failed: port is already allocated', 'in-use'],
  [409, 'network with name web already exists', 'exists'],
  [409, 'remove data: volume is in use - [abc]', 'in-use'],
  [409, 'You cannot remove a running container abc. Stop the container before', 'in-use'],
  [409, 'removal of container abc is already in progress', 'engine-busy'],
  [409, 'Container abc is not running', 'conflict'],
  [409, 'something entirely new', 'conflict'],
  [500, 'OCI runtime create failed: exec: "nope": executable file not found in $PATH', 'conflict'],
  [500, 'driver failed: iptables failed: iptables --wait -t nat', 'engine-failed'],
  [503, 'This node is not a swarm manager', 'engine-busy'],
  [500, 'something entirely new', 'engine-failed'],
])('%i %j is %s', (status, message, reason) => {
  expect(refusal(status, message).reason).toBe(reason)
})

test('a slow Engine is engine-busy; an absent one, or a server that is no Engine, is engine-failed', () => {
  expect(failureOf(new DeadlineExceeded(5000), call).reason).toBe('engine-busy')
  expect(failureOf(new Error('connect ECONNREFUSED'), call).reason).toBe('engine-failed')
  expect(foreign(new Error('HTML'), call).reason).toBe('engine-failed')
})
