import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe } from 'vitest'
import type { SourceFile } from '../../../functions/core/ports/source-reader.ts'
import { projectArtifact } from '../../../functions/core/publish/artifact.ts'
import { startGitServer } from '../../../local/harness/git/https-server.ts'
import { testReader } from '../../../local/harness/git/reader.ts'
import { makeRepository } from '../../../local/harness/git/repository.ts'
import { startGitSsh } from '../../../local/harness/git/ssh-git-server.ts'
import { loopbackDialer } from '../../../local/harness/outbound.ts'
import { type Registry, startRegistry } from '../../../local/harness/registry.ts'
import { artifactRegistry } from '../../registry/push.ts'
import { ociSources } from '../../registry/sources.ts'
import { type MemoryFolders, memorySourceReader } from '../memory/source-reader.ts'
import { present } from '../present.ts'
import {
  type SourceReaderWorld,
  sourceFoldersContract,
  sourceReaderContract,
} from './source-reader.ts'

type Files = Readonly<Record<string, string>>
type NewWorld = () => Promise<SourceReaderWorld>

async function memoryWorld(): Promise<SourceReaderWorld> {
  const reader = memorySourceReader()
  const source = { kind: 'git', url: 'https://forge.example.org/estate.git', ref: 'main' } as const
  let count = 0
  return {
    reader,
    source,
    unknown: 'none',
    async publish(files) {
      count += 1
      const revision = `r${count}`
      reader.revisions.set(revision, foldersOf(files))
      reader.refs.set(`${source.url} at ${source.ref}`, revision)
      return revision
    },
  }
}

/** Returns what each folder of these files has, as the reader in memory takes it. */
function foldersOf(files: Files): MemoryFolders {
  const folders = new Set(['', ...Object.keys(files).flatMap(parentsOf)])
  return Object.fromEntries(
    [...folders].map((folder) => {
      const start = folder === '' ? '' : `${folder}/`
      const own = Object.entries(files).filter(([path]) => path.startsWith(start))
      const inside = own.map(([path, text]) => [path.slice(start.length), text] as const)
      const id = createHash('sha256').update(JSON.stringify(inside)).digest('hex')
      return [folder, { id, files: inside.map(fileOf) }]
    }),
  )
}

/** `a/b/c` → `a`, `a/b`. */
function parentsOf(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

const fileOf = ([path, text]: readonly [string, string]): SourceFile => ({
  path,
  mode: 0o644,
  content: Buffer.from(text),
})

let registry: Registry

beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry.close())

async function registryWorld(): Promise<SourceReaderWorld> {
  const repository = `team/${randomUUID()}`
  const target = { registry: registry.address, repository, tag: '1' }
  const writer = artifactRegistry(loopbackDialer())
  return {
    reader: ociSources(loopbackDialer()),
    source: { kind: 'oci', url: `oci://${registry.address}/${repository}`, ref: '1' },
    unknown: `sha256:${'f'.repeat(64)}`,
    async publish(files) {
      const all = Object.entries(files).map(([path, text]) => {
        const kind = path === 'compose.yaml' ? ('compose' as const) : ('variables' as const)
        return { kind, path, name: path, text }
      })
      const artifact = projectArtifact(all, { owner: 'shop', replacesOthers: false })
      await writer.push(target, artifact, undefined, new AbortController().signal)
      return present(artifact.manifests[0]).digest
    },
  }
}

const unknown = 'f'.repeat(40)

async function httpsWorld(): Promise<SourceReaderWorld> {
  const { root, commit } = makeRepository()
  const { url, certificateAuthority } = await startGitServer({ root })
  const source = { kind: 'git', url, ref: 'main', certificateAuthority } as const
  return { reader: testReader(), source, unknown, publish: async (files) => commit(files) }
}

async function sshWorld(): Promise<SourceReaderWorld> {
  const { root, commit } = makeRepository()
  const { url, hostKey, privateKey } = await startGitSsh(root)
  const source = { kind: 'git', url, ref: 'main', hostKey, key: { privateKey } } as const
  return { reader: testReader(), source, unknown, publish: async (files) => commit(files) }
}

const withFolders: [string, NewWorld][] = [
  ['in memory', memoryWorld],
  ['of git over https', httpsWorld],
  ['of git over ssh', sshWorld],
]
const worlds: [string, NewWorld][] = [...withFolders, ['in a registry', registryWorld]]

describe.each(worlds)('sources %s', (_name, newWorld) => sourceReaderContract(newWorld))
describe.each(withFolders)('sources with folders %s', (_name, newWorld) =>
  sourceFoldersContract(newWorld),
)
