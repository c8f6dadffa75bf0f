import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { s3Client } from '../../adapters/blobs/s3-client.ts'
import { present } from '../../adapters/testing/present.ts'
import type { S3Target } from '../../functions/core/records/backup-target.ts'
import { boundToParent } from './bound-process.ts'
import { freePort } from './free-port.ts'
import { loopbackDialer } from './outbound.ts'

/** An S3 server on the loopback interface with one bucket. */
export interface S3Server {
  port: number
  /** Returns a target for the bucket, changed for example to another port or key. */
  target(changes?: Partial<S3Target>): S3Target
  /** Kills it, like a machine that loses power. */
  kill(): Promise<void>
  close(): Promise<void>
}

const accessKeyId = 'test:tester'
const secretAccessKey = 'the-secret-of-the-tester-4711'
const bucket = 'backups'

/**
 * Starts OpenStack Swift (Debian's package python3-swift) with its S3 API. Object store, multipart
 * uploads and signature checks are the same code as in production. Here all its servers run in one
 * process, with a single replica.
 */
export async function startS3(): Promise<S3Server> {
  const directory = await mkdtemp('/tmp/swift-')
  const [account, container, object, port] = await Promise.all([1, 2, 3, 4].map(() => freePort()))
  const ports = {
    account: present(account),
    container: present(container),
    object: present(object),
  }
  await mkdir(join(directory, 'devices', 'd1'), { recursive: true })
  for (const [name, text] of Object.entries(configuration(directory, ports, present(port)))) {
    await writeFile(join(directory, name), text)
  }
  const words = ['-c', program, directory, JSON.stringify({ ...ports, proxy: port })]
  const child = spawn(...boundToParent('/usr/bin/python3', words), {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-4_000)
  })
  const server: S3Server = {
    port: present(port),
    target: (changes = {}) => ({
      kind: 's3',
      bucket,
      prefix: '',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
      forcePathStyle: true,
      accessKeyId,
      secretAccessKey,
      ...changes,
    }),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async close() {
      child.kill('SIGKILL')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
  while (!(await makesBucket(server))) {
    if (child.exitCode !== null) throw new Error(`Swift ended with ${child.exitCode}: ${errors}`)
  }
  return server
}

async function makesBucket(server: S3Server): Promise<boolean> {
  const client = s3Client(server.target(), loopbackDialer(), 5_000)
  const { CreateBucketCommand } = await import('@aws-sdk/client-s3')
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
    return true
  } catch (error) {
    if (/BucketAlready/.test((error as Error).name)) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
    return false
  } finally {
    client.destroy()
  }
}

function configuration(
  directory: string,
  ports: Record<'account' | 'container' | 'object', number>,
  proxyPort: number,
): Record<string, string> {
  const common = `[DEFAULT]\nswift_dir = ${directory}\nlog_level = ERROR\nlog_address = ${directory}/no-log\n`
  const storage = Object.entries(ports).map(([kind, port]) => [
    `${kind}.conf`,
    `${common}devices = ${directory}/devices\nmount_check = false\ndisable_fallocate = true\nbind_port = ${port}
[pipeline:main]\npipeline = server\n[app:server]\nuse = egg:swift#${kind}\n`,
  ])
  const filters = [
    'catch_errors',
    'gatekeeper',
    'memcache',
    'listing_formats',
    's3api',
    'tempauth',
    'bulk',
    'slo',
    'dlo',
  ]
  const options: Record<string, string> = {
    // No memcached runs here, so nothing is cached.
    memcache: 'memcache_servers = 127.0.0.1:1\n',
    s3api: 'location = us-east-1\n',
    tempauth: `user_test_tester = ${secretAccessKey} .admin\n`,
  }
  const sections = filters.map(
    (name) => `[filter:${name}]\nuse = egg:swift#${name}\n${options[name] ?? ''}`,
  )
  return {
    'swift.conf':
      '[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n[storage-policy:0]\nname = one\ndefault = yes\n',
    ...Object.fromEntries(storage),
    'proxy.conf': `${common}bind_port = ${proxyPort}\n[pipeline:main]\npipeline = ${filters.join(' ')} proxy-server
[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\nallow_account_management = true\n${sections.join('')}`,
  }
}

/**
 * Builds the rings, which map objects to devices, and serves the four applications on greenlets of
 * one process.
 */
const program = `
import json, os, sys
import eventlet
from swift.common import utils
utils.set_swift_dir(sys.argv[1])
utils.eventlet_monkey_patch()
from swift.common import storage_policy, wsgi
from swift.common.ring.builder import RingBuilder
from swift.common.http_protocol import SwiftHttpProtocol
storage_policy.reload_storage_policies()
directory, ports = sys.argv[1], json.loads(sys.argv[2])
for kind in ('account', 'container', 'object'):
    builder = RingBuilder(2, 1, 0)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': ports[kind], 'device': 'd1', 'weight': 1})
    builder.rebalance()
    builder.get_ring().save(os.path.join(directory, kind + '.ring.gz'))
serving = []
for kind, port in ports.items():
    app = wsgi.loadapp(os.path.join(directory, kind + '.conf'), global_conf={'log_name': kind})
    listener = eventlet.listen(('127.0.0.1', port), backlog=512)
    serving.append(eventlet.spawn(eventlet.wsgi.server, listener, app, utils.NullLogger(), protocol=SwiftHttpProtocol))
for one in serving:
    one.wait()
`
