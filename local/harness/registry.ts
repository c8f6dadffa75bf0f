import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { boundToParent } from './bound-process.ts'
import { freePort } from './free-port.ts'

/** An image registry on the loopback interface. */
export interface Registry {
  /** `127.0.0.1:port`, the first part of its image references. */
  address: string
  /** Directory of its blobs. */
  directory: string
  /** The credentials that it requires, if any. */
  credentials?: { username: string; password: string }
  /** Stops responding. */
  pause(): Promise<void>
  close(): Promise<void>
}

/** The credentials of a registry that requires them, and its password file. */
const credentials = { username: 'puller', password: 'registry password 4711' }
const htpasswd = 'puller:$2y$05$abcdefghijklmnopqrstuu58JNfhbSf2qepI0IaslcdF54s6D0hOS\n'

/**
 * Starts the registry program of Debian's package docker-registry on a free port, with an empty
 * store. With `closed` it requires credentials.
 */
export async function startRegistry({ closed = false } = {}): Promise<Registry> {
  const directory = await mkdtemp('/tmp/registry-')
  const address = `127.0.0.1:${await freePort()}`
  const config = join(directory, 'config.yml')
  const store = join(directory, 'store')
  const passwords = join(directory, 'htpasswd')
  await writeFile(passwords, htpasswd)
  await writeFile(
    config,
    JSON.stringify({
      version: 0.1,
      log: { level: 'error' },
      storage: { filesystem: { rootdirectory: store } },
      http: { addr: address },
      ...(closed && { auth: { htpasswd: { realm: 'test', path: passwords } } }),
    }),
  )
  const child = spawn(...boundToParent('docker-registry', ['serve', config]), { stdio: 'ignore' })
  const ended = once(child, 'exit')
  while (!(await answers(address))) {
    if (child.exitCode !== null) throw new Error(`The registry ended with ${child.exitCode}`)
  }
  return {
    address,
    directory: store,
    ...(closed && { credentials }),
    async pause() {
      child.kill('SIGKILL')
      await ended
    },
    async close() {
      child.kill('SIGKILL')
      await ended
      await rm(directory, { recursive: true })
    },
  }
}

/** What an index says of a manifest. */
export interface Descriptor {
  mediaType: string
  size: number
  digest: string
}

/** The architecture of this machine, as registries write it. */
export const ownArchitecture = { x64: 'amd64' }[process.arch as string] ?? process.arch

/**
 * Pushes an image of one layer to a registry, under a tag or under its digest alone. The layer is a
 * tar archive.
 */
export async function publishImage(
  registry: Registry,
  name: string,
  tag: string | undefined,
  layer: Buffer,
  labels: Record<string, string> = {},
  architecture = ownArchitecture,
): Promise<Descriptor> {
  const config = Buffer.from(
    JSON.stringify({
      architecture,
      os: 'linux',
      config: { Cmd: ['sh'], Labels: labels },
      rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
    }),
  )
  const packed = gzipSync(layer)
  const described = (kind: string, content: Buffer) => ({
    mediaType: `application/vnd.docker.${kind}`,
    size: content.length,
    digest: digestOf(content),
  })
  for (const content of [config, packed]) await upload(registry, name, content)
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
    config: described('container.image.v1+json', config),
    layers: [described('image.rootfs.diff.tar.gzip', packed)],
  }
  return putManifest(registry, name, tag, manifest)
}

/** An image in an index. */
export interface IndexEntry extends Descriptor {
  platform: { os: string; architecture: string }
  annotations?: Record<string, string>
}

/** Pushes an index of images that were pushed before. */
export const publishIndex = (
  registry: Registry,
  name: string,
  tag: string,
  manifests: readonly IndexEntry[],
): Promise<Descriptor> =>
  putManifest(registry, name, tag, {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests,
  })

async function putManifest(
  registry: Registry,
  name: string,
  tag: string | undefined,
  manifest: { mediaType: string; schemaVersion: number; manifests?: readonly IndexEntry[] },
): Promise<Descriptor> {
  const { mediaType } = manifest
  const content = Buffer.from(JSON.stringify(manifest))
  const described = { mediaType, size: content.length, digest: digestOf(content) }
  await put(`http://${registry.address}/v2/${name}/manifests/${tag ?? described.digest}`, {
    body: content.toString(),
    headers: { 'Content-Type': mediaType, ...authorization(registry) },
  })
  return described
}

async function upload(registry: Registry, name: string, content: Buffer): Promise<void> {
  const uploads = `http://${registry.address}/v2/${name}/blobs/uploads/`
  const { headers } = await fetch(uploads, { method: 'POST', headers: authorization(registry) })
  const location = new URL(headers.get('Location') ?? '', uploads)
  location.searchParams.set('digest', digestOf(content))
  await put(location, { body: new Uint8Array(content), headers: authorization(registry) })
}

function authorization({ credentials: known }: Registry): Record<string, string> {
  if (!known) return {}
  const { username, password } = known
  return { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

async function put(url: string | URL, init: RequestInit): Promise<void> {
  const response = await fetch(url, { ...init, method: 'PUT' })
  if (!response.ok) throw new Error(`PUT ${url}: ${response.status} ${await response.text()}`)
}

const digestOf = (content: Buffer) => `sha256:${createHash('sha256').update(content).digest('hex')}`

async function answers(address: string): Promise<boolean> {
  try {
    const { ok, status } = await fetch(`http://${address}/v2/`)
    return ok || status === 401
  } catch {
    return false
  }
}
